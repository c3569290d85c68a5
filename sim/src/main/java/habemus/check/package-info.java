/**
 * Walks every run of a small world, exactly: each state that can be reached is met once, and what a property says of
 * it is proven or refuted with a shortest run.
 *
 * <p>From the outside in: a {@code Search} walks level by level; an {@code Expander} tells the states after a state by
 * looking them up in {@code Corners} (what is at one node) and {@code Globals} (what belongs to nobody); what was never
 * met before is worked out by a {@code Stage}, the world's half of a step.
 */
@NullMarked
package habemus.check;

import org.jspecify.annotations.NullMarked;
