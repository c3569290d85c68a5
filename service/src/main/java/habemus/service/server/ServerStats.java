package habemus.service.server;

/**
 * The statistics of a node: the first four are current numbers, the others count since the start of the node.
 *
 * @param connections open at this node
 * @param localSessions sessions whose client is connected to this node
 * @param sessions of the whole service
 * @param waiters of the whole service, in all queues
 * @param requests received from clients
 * @param rejected requests that exceeded a limit or lacked a permission
 * @param entries proposed to the log
 * @param commands in these entries
 * @param dropped commands that were not proposed, because too many were in flight
 * @param failed entries that were not committed, or whose outcome is unknown
 * @param applied entries
 * @param renewals acknowledged
 * @param expiredSessions sessions whose lease has ended
 * @param lostHolds grants of expired sessions
 * @param leaderChanges elections of a leader of the log that this node has learned of
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
        long lostHolds,
        long leaderChanges) {}
