/** The door of a node for its clients: HTTP and JSON. */
@NullMarked
package habemus.service.http;

import org.jspecify.annotations.NullMarked;
