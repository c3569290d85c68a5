/** A node: the groups that it hosts, and its clients. */
@NullMarked
package habemus.service.node;

import org.jspecify.annotations.NullMarked;
