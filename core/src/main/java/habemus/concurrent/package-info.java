/** Threads and queues that drive a state machine in a real process. They know no particular machine. */
@NullMarked
package habemus.concurrent;

import org.jspecify.annotations.NullMarked;
