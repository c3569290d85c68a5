/** What a client needs of the world: an event loop, connections, random numbers, threads for callbacks. */
@NullMarked
package habemus.client.environment;

import org.jspecify.annotations.NullMarked;
