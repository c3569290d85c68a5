/**
 * Raft: a replicated log by consensus, as one pure state machine.
 *
 * <p>Read the files in this order: {@link habemus.raft.RaftMessage}, {@link habemus.raft.RaftState},
 * {@link habemus.raft.Raft}, then one file for each concern: Voting, Replication, Commitment, ReadIndex, Membership,
 * SnapshotTransfer. Each names its section of Ongaro's dissertation.
 */
@NullMarked
package habemus.raft;

import org.jspecify.annotations.NullMarked;
