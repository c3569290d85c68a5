/** The replicated log: the port, its implementation on jgroups-raft, and its storage. */
@NullMarked
package habemus.service.raft;

import org.jspecify.annotations.NullMarked;
