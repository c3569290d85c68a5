package habemus.bench.service;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.protocol.Message;
import habemus.service.server.ClientConnection;
import habemus.service.server.LockServerLoop;
import habemus.service.server.LockServerNode;
import habemus.service.server.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** A client inside the process of a node, without a network. It never renews: its leases last for ten minutes. */
final class InProcessClient implements LockServerLoop.ReplyListener, AutoCloseable {

    private static final Duration LEASE = Duration.ofMinutes(10);

    private record Request(long session, long number) {}

    private final ClientConnection connection;
    private final Map<Long, CompletableFuture<Long>> openings = new ConcurrentHashMap<>(); // by nonce
    private final Map<Request, CompletableFuture<OperationResult>> results = new ConcurrentHashMap<>();

    InProcessClient(LockServerNode node) {
        connection = node.loop().connect(Principal.ANONYMOUS, this).orElseThrow();
    }

    /** Opens a session. */
    long open(long nonce) {
        var opened = new CompletableFuture<Long>();
        openings.put(nonce, opened);
        connection.submit(new Message.OpenSession(nonce, new ClientInfo("bench", "localhost", 1), LEASE));
        return opened.join();
    }

    CompletableFuture<OperationResult> acquire(long session, long number, String lock) {
        return submit(session, number, Operation.Acquire.of(ResourceShare.exclusive(lock)));
    }

    /** @param acquire the number of the acquire request */
    CompletableFuture<OperationResult> release(long session, long number, long acquire) {
        return submit(session, number, new Operation.Release(acquire));
    }

    private CompletableFuture<OperationResult> submit(long session, long number, Operation operation) {
        var result = new CompletableFuture<OperationResult>();
        results.put(new Request(session, number), result);
        connection.submit(new Message.Submit(session, number, number - 1, operation));
        return result;
    }

    @Override
    public void onReplies(List<Message.ServerReply> replies) {
        for (var reply : replies) {
            switch (reply) {
                case Message.SessionOpened(var nonce, var session) -> {
                    var opened = openings.remove(nonce);
                    if (opened != null) {
                        opened.complete(session);
                    }
                }
                case Message.Result(var session, var number, var result) -> {
                    var waiting = results.remove(new Request(session, number));
                    if (waiting != null) {
                        waiting.complete(result);
                    }
                }
                case Message.ServerReply other -> {}
            }
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
