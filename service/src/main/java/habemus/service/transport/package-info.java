/** Messages between nodes and the membership of the cluster. */
@NullMarked
package habemus.service.transport;

import org.jspecify.annotations.NullMarked;
