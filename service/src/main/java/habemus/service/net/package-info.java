/** Links between nodes, and who is there. */
@NullMarked
package habemus.service.net;

import org.jspecify.annotations.NullMarked;
