package habemus.service.server;

/**
 * How much there is at a node, and how much there was since it was started.
 *
 * @param connections that are open here
 * @param localSessions sessions whose clients are connected here
 * @param sessions of the whole service
 * @param waiters of the whole service, in all lines
 * @param requests of clients
 * @param rejected of these, by limits or for want of rights
 * @param entries that were proposed to the log
 * @param commands in them
 * @param dropped commands that were not proposed, since too many were on their way
 * @param failed entries that were not committed, or of which nobody knows
 * @param applied entries
 * @param renewals that were acknowledged
 * @param expiredSessions sessions that were given up
 * @param lostHolds of what these held
 */
public record ServerStats(
        int connections,
        int localSessions,
        int sessions,
        long waiters,
        long requests,
        long rejected,
        long entries,
        long commands,
        long dropped,
        long failed,
        long applied,
        long renewals,
        long expiredSessions,
        long lostHolds) {}
