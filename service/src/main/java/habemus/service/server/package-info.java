/** A node of the lock service: client connections, admission, the lock server loop, and the log beneath it. */
@NullMarked
package habemus.service.server;

import org.jspecify.annotations.NullMarked;
