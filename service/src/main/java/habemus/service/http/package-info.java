/** The HTTP API of a node, in JSON. */
@NullMarked
package habemus.service.http;

import org.jspecify.annotations.NullMarked;
