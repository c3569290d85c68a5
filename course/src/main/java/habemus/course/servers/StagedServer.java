package habemus.course.servers;

import java.io.IOException;
import java.util.List;

/**
 * Each step of a request is a stage with its own threads and its own bounded queue (SEDA).
 *
 * <pre>
 *   accept ─▶ [queue] parse ─▶ [queue] work ─▶ [queue] reply
 *               └ full ─▶ shed   └ full ─▶ shed   └ full ─▶ the work thread replies
 * </pre>
 *
 * <p>The longest queue shows which stage is the bottleneck, and each stage gets the threads that it needs. A full stage
 * sheds load early: it refuses the request. A reply is never shed, because the work is done: the work thread writes it
 * and is thereby slowed down. Every request pays for three changes of thread.
 *
 * @see <a href="https://doi.org/10.1145/502034.502057">Welsh, Culler and Brewer, SOSP 2001</a>
 */
final class StagedServer implements CoordinatorServer {

    private static final int IO_THREADS = 2; // to read and to write: neither waits for long

    private record Request(RequestConnection connection, String line) {}

    private record Reply(RequestConnection connection, String line) {}

    private final LockService service;
    private final Stage<RequestConnection> parse;
    private final Stage<Request> work;
    private final Stage<Reply> reply;
    private final Acceptor acceptor;

    StagedServer(LockService service, ServerCapacity capacity) {
        this.service = service;
        var small = new ServerCapacity(IO_THREADS, capacity.queue(), capacity.connections());
        parse = new Stage<>("parse", small, this::parse, RequestConnection::refuse);
        work = new Stage<>("work", capacity, this::work, request -> request.connection.refuse());
        reply = new Stage<>("reply", small, this::reply, this::reply);
        acceptor = new Acceptor(capacity, parse::submit);
    }

    private void parse(RequestConnection connection) {
        try {
            work.submit(new Request(connection, connection.readRequest()));
        } catch (IOException gone) {
            connection.close();
        }
    }

    private void work(Request request) {
        var line = service.decide(request.line);
        service.block();
        reply.submit(new Reply(request.connection, line));
    }

    private void reply(Reply decided) {
        try (var connection = decided.connection) {
            connection.reply(decided.line);
        } catch (IOException gone) {
            // there is no reader for the reply
        }
    }

    @Override
    public int port() {
        return acceptor.port();
    }

    @Override
    public List<QueueLength> queues() {
        return List.of(parse.queueLength(), work.queueLength(), reply.queueLength());
    }

    @Override
    public ConnectionCount connections() {
        return acceptor.count();
    }

    @Override
    public void close() {
        acceptor.close();
        parse.close();
        work.close();
        reply.close();
    }
}
