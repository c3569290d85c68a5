/** What every product is driven by: its nodes as processes, its clients as threads, kills, and what all that took. */
@NullMarked
package habemus.peers;

import org.jspecify.annotations.NullMarked;
