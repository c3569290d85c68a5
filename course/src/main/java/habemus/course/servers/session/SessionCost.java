package habemus.course.servers.session;

import org.HdrHistogram.Histogram;

/**
 * What a place of cursors costs.
 *
 * @param pageMicros the time of a page, for one client
 * @param clients number of clients with a query at once, for the memory
 * @param heapBytes of the server, more than without clients
 * @param diskBytes of the server
 */
public record SessionCost(
        CursorPlace place,
        Histogram pageMicros,
        int clients,
        long heapBytes,
        long diskBytes,
        Recovery crash,
        Recovery move) {

    /**
     * What happens to clients in the middle of their queries.
     *
     * @param connectionErrors failed requests
     * @param lostSessions requests that were answered with an unknown session
     * @param repeatedPages pages that were read again
     * @param downMillis until a server listens again
     * @param finishMillis from then until all clients have their last page
     */
    public record Recovery(
            int clients,
            int connectionErrors,
            int lostSessions,
            int repeatedPages,
            double downMillis,
            double finishMillis) {}
}
