package habemus.service.raft;

/**
 * What a node has done for the log since it was started.
 *
 * @param applied entries that its machine was told of
 * @param appended entries that were written to disk
 * @param syncs how often it waited for the disk
 * @param logBytes of the log on disk now, without the snapshot
 * @param snapshots that were made or received
 * @param pendingProposals proposals of this node of which nobody knows yet
 */
public record LogStats(long applied, long appended, long syncs, long logBytes, long snapshots, int pendingProposals) {}
