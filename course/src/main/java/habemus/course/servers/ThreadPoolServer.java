package habemus.course.servers;

import java.util.List;

/**
 * One thread accepts connections and puts them into a bounded queue, from which a fixed number of threads takes them.
 *
 * <pre>
 *   accept ─▶ [queue] ─▶ one of n threads: read ─▶ decide ─▶ block ─▶ reply
 *               └ full ─▶ refuse
 * </pre>
 *
 * <p>Serves at most n requests in each service time: Little's law says how many threads a rate needs. The queue bounds
 * how long an accepted request waits. A refused client knows at once.
 */
final class ThreadPoolServer implements CoordinatorServer {

    private final Stage<RequestConnection> requests;
    private final Acceptor acceptor;

    ThreadPoolServer(LockService service, ServerCapacity capacity) {
        requests = new Stage<>("request", capacity, service::serve, RequestConnection::refuse);
        acceptor = new Acceptor(capacity, requests::submit);
    }

    @Override
    public int port() {
        return acceptor.port();
    }

    @Override
    public List<QueueLength> queues() {
        return List.of(requests.queueLength());
    }

    @Override
    public ConnectionCount connections() {
        return acceptor.count();
    }

    @Override
    public void close() {
        acceptor.close();
        requests.close();
    }
}
