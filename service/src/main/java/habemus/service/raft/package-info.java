/** The replicated log on the raft machine, and its storage. */
@NullMarked
package habemus.service.raft;

import org.jspecify.annotations.NullMarked;
