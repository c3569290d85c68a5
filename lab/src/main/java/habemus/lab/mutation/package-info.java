/** Mutation testing of the algorithms: the model checker must kill each mutant, which has one changed line. */
@NullMarked
package habemus.lab.mutation;

import org.jspecify.annotations.NullMarked;
