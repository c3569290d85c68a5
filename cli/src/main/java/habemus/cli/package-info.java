/** The command line: reads what is wanted, has it run, says what came of it. Nothing is decided here. */
@NullMarked
package habemus.cli;

import org.jspecify.annotations.NullMarked;
