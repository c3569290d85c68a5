/** Reductions of the state space, each with the proof that it loses nothing: symmetry and eager delivery. */
@NullMarked
package habemus.check.reduction;

import org.jspecify.annotations.NullMarked;
