package habemus.course.servers;

/**
 * One thread accepts a connection, serves it, and accepts the next one.
 *
 * <pre>
 *   accept ─▶ read ─▶ decide ─▶ block ─▶ reply ─▶ accept …
 * </pre>
 *
 * <p>Serves at most one request in each service time. While a request blocks or a client is silent, all others wait in
 * the backlog of the system. If that is full, connections are not established.
 */
final class IterativeServer implements CoordinatorServer {

    private final Acceptor acceptor;

    IterativeServer(LockService service, ServerCapacity capacity) {
        acceptor = new Acceptor(capacity, service::serve);
    }

    @Override
    public int port() {
        return acceptor.port();
    }

    @Override
    public ConnectionCount connections() {
        return acceptor.count();
    }

    @Override
    public void close() {
        acceptor.close();
    }
}
