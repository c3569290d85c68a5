/** Messages between nodes, and which nodes are connected. */
@NullMarked
package habemus.service.transport;

import org.jspecify.annotations.NullMarked;
