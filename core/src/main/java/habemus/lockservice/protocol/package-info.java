/**
 * The lock server and the client session as pure state machines, their messages, and the model that runs both in the
 * simulator and the checker.
 */
@NullMarked
package habemus.lockservice.protocol;

import org.jspecify.annotations.NullMarked;
