/** The terminal: output, colours, progress, exit codes, signals, files. */
@NullMarked
package habemus.cli.terminal;

import org.jspecify.annotations.NullMarked;
