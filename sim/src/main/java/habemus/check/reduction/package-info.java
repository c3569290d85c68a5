/** Reductions of the state space: symmetry and eager delivery, each with the proof that it loses no run. */
@NullMarked
package habemus.check.reduction;

import org.jspecify.annotations.NullMarked;
