/** The event loop that drives a state machine, in a real process or in virtual time. It knows no particular machine. */
@NullMarked
package habemus.concurrent;

import org.jspecify.annotations.NullMarked;
