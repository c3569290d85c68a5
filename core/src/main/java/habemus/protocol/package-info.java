/**
 * The contract between algorithms and worlds: an algorithm is a pure function from a state and an event to a
 * step, and says by the interfaces it implements what it is for and what it needs.
 */
@NullMarked
package habemus.protocol;

import org.jspecify.annotations.NullMarked;
