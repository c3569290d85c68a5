package habemus.service.session;

/**
 * How much there is at a node, and how much there was since it was started.
 *
 * @param connections that are open here
 * @param served sessions whose clients are connected here
 * @param sessions of the whole service
 * @param waiters of the whole service, in all lines
 * @param requests of clients
 * @param refused of these, by limits or for want of rights
 * @param entries that were proposed to the log
 * @param commands in them
 * @param dropped commands that were not proposed, since too many were on their way
 * @param failed entries that were not committed, or of which nobody knows
 * @param applied entries
 * @param renewals that were acknowledged
 * @param expiries sessions that were given up
 * @param losses of what these held
 */
public record Counts(
        int connections,
        int served,
        int sessions,
        long waiters,
        long requests,
        long refused,
        long entries,
        long commands,
        long dropped,
        long failed,
        long applied,
        long renewals,
        long expiries,
        long losses) {}
