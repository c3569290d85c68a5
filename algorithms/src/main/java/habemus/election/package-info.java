/** Algorithms for leader election, one per file. */
@NullMarked
package habemus.election;

import org.jspecify.annotations.NullMarked;
