package habemus.service.log;

/**
 * What a node has done for the log since it was started.
 *
 * @param applied entries that its machine was told of
 * @param appended entries that were written to disk
 * @param syncs how often it waited for the disk
 * @param bytes of the log on disk now, without the snapshot
 * @param snapshots that were made or received
 * @param waiting proposals of this node of which nobody knows yet
 */
public record Counts(long applied, long appended, long syncs, long bytes, long snapshots, int waiting) {}
