/** Command lines: their words, their errors with a hint, and the exit codes. */
@NullMarked
package habemus.lab.command;

import org.jspecify.annotations.NullMarked;
