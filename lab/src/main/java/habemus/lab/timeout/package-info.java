/** Which timeout is cheapest: long timeouts delay recovery, short ones suspect live nodes. */
@NullMarked
package habemus.lab.timeout;

import org.jspecify.annotations.NullMarked;
