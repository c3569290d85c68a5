/** Runs one protocol instance in a real process: inbox, thread, durable state, effects in order. */
@NullMarked
package habemus.service.runtime;

import org.jspecify.annotations.NullMarked;
