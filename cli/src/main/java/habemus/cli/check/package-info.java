/** Commands of the model checker: check, matrix, mutants. */
@NullMarked
package habemus.cli.check;

import org.jspecify.annotations.NullMarked;
