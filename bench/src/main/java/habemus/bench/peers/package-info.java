/** Compares locks of several products: runs each in turn, round by round, and prints one table. */
@NullMarked
package habemus.bench.peers;

import org.jspecify.annotations.NullMarked;
