/**
 * Mutation testing of the algorithms: each mutant changes a few lines, and the checker must find a run that kills it.
 */
@NullMarked
package habemus.lab.mutation;

import org.jspecify.annotations.NullMarked;
