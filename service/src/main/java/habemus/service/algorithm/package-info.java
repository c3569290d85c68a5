/** A node that runs classic algorithms: its groups, its clients and its frames to other nodes. */
@NullMarked
package habemus.service.algorithm;

import org.jspecify.annotations.NullMarked;
