package habemus.service.log;

/**
 * Counters of a log node since its start.
 *
 * @param applied entries applied to the state machine
 * @param appended entries written to disk
 * @param syncs fsync calls
 * @param logBytes current size of the log on disk, without the snapshot
 * @param snapshots snapshots taken or received
 * @param pendingProposals proposals of this node without an outcome
 */
public record LogStats(long applied, long appended, long syncs, long logBytes, long snapshots, int pendingProposals) {}
