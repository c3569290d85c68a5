/** The costs of one step of the replicated log. */
@NullMarked
package habemus.bench.raft;

import org.jspecify.annotations.NullMarked;
