/** The command line: parses arguments, calls the other modules, prints results. */
@NullMarked
package habemus.cli;

import org.jspecify.annotations.NullMarked;
