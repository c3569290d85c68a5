/** Breadth-first search of all reachable states, in parallel shards. */
@NullMarked
package habemus.check.search;

import org.jspecify.annotations.NullMarked;
