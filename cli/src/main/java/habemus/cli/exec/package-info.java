/** Runs a command while its process holds a lock or leads an election. */
@NullMarked
package habemus.cli.exec;

import org.jspecify.annotations.NullMarked;
