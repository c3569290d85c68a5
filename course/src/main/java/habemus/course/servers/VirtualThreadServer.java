package habemus.course.servers;

/**
 * One thread accepts connections and starts a virtual thread for each.
 *
 * <pre>
 *   accept ─▶ new virtual thread: read ─▶ decide ─▶ block ─▶ reply ─▶ end
 * </pre>
 *
 * <p>The code is that of {@link ThreadPerRequestServer}. A virtual thread that blocks leaves its carrier, one of as
 * many platform threads as there are processors, and its stack is an object on the heap.
 */
final class VirtualThreadServer implements CoordinatorServer {

    private final Acceptor acceptor;

    VirtualThreadServer(LockService service, ServerCapacity capacity) {
        var threads = Thread.ofVirtual().name("request-", 0).factory();
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
