/** Locks side by side: every product in turn, round by round, and what came out as one table. */
@NullMarked
package habemus.bench.peers;

import org.jspecify.annotations.NullMarked;
