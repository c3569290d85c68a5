/** Commands that start nodes: serve and up. */
@NullMarked
package habemus.cli.serve;

import org.jspecify.annotations.NullMarked;
