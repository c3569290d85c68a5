package habemus.course.servers;

/**
 * One thread accepts connections and starts a platform thread for each.
 *
 * <pre>
 *   accept ─▶ new thread: read ─▶ decide ─▶ block ─▶ reply ─▶ end
 * </pre>
 *
 * <p>Requests that block do not delay each other. Each one pays for a thread of the system: its start, its stack and
 * its place in the scheduler. Only the limit of connections bounds the number of threads.
 */
final class ThreadPerRequestServer implements CoordinatorServer {

    private final Acceptor acceptor;

    ThreadPerRequestServer(LockService service, ServerCapacity capacity) {
        var threads = Thread.ofPlatform().daemon().name("request-", 0).factory();
        acceptor = new Acceptor(
                capacity,
                connection -> threads.newThread(() -> service.serve(connection)).start());
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
