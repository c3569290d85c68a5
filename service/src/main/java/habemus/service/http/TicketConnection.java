package habemus.service.http;

import habemus.lockservice.protocol.Message;
import habemus.service.server.ClientConnection;
import habemus.service.server.LockServerLoop;
import habemus.service.server.Principal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Speaks with the reception for all tickets of one visitor, and passes on to each what it is told. */
final class TicketConnection implements LockServerLoop.ReplyListener, AutoCloseable {

    private final Principal principal;
    private final ClientConnection clientConnection;
    private final Map<Long, CompletableFuture<Long>> openings = new ConcurrentHashMap<>(); // by nonce
    private final Map<Long, TicketState> ticketStates = new ConcurrentHashMap<>(); // by session

    TicketConnection(LockServerLoop lockServerLoop, Principal principal) {
        this.principal = principal;
        clientConnection = lockServerLoop
                .connect(principal, this)
                .orElseThrow(
                        () -> new ApiException(429, "too-many", "this node has too many clients", "try another node"));
    }

    /** The session, as soon as there is one. */
    CompletableFuture<Long> sessionFuture(long nonce) {
        return openings.computeIfAbsent(nonce, any -> new CompletableFuture<>());
    }

    void cancelOpening(long nonce) {
        openings.remove(nonce);
    }

    /** Is told of it from now on. */
    void attach(TicketState ticketState) {
        ticketStates.put(ticketState.session, ticketState);
        send(new Message.Attach(ticketState.session, ticketState.nonce));
    }

    /** @throws ApiException if that is refused before it is said */
    void send(Message.ClientRequest clientRequest) {
        clientConnection.submit(clientRequest).ifPresent(connectionRejected -> {
            throw new ApiException(
                    connectionRejected.code().startsWith("too-many") ? 429 : 400,
                    connectionRejected.code().startsWith("too-many") ? "too-many" : "wrong",
                    connectionRejected.message(),
                    connectionRejected.hint());
        });
    }

    @Override
    public void onReplies(List<Message.ServerReply> serverReplies) {
        for (Message.ServerReply serverReply : serverReplies) {
            switch (serverReply) {
                case Message.SessionOpened(var nonce, var session) -> {
                    var waiting = openings.remove(nonce);
                    if (waiting != null) {
                        waiting.complete(session);
                    }
                }
                case Message.Renewed(var session, var number) -> {
                    var ticketState = ticketStates.get(session);
                    if (ticketState != null) {
                        ticketState.onRenewed(number);
                    }
                }
                case Message.Result(var session, var number, var operationResult) -> {
                    var ticketState = ticketStates.get(session);
                    if (ticketState != null) {
                        ticketState.onAnswer(number, operationResult);
                    }
                }
                case Message.SessionExpired(var session) -> {
                    var ticketState = ticketStates.remove(session);
                    if (ticketState != null) {
                        ticketState.onSessionEnded();
                    }
                }
                case Message.ResourceChanged resourceChanged -> {}
            }
        }
    }

    @Override
    public void close() {
        ticketStates.values().forEach(TicketState::wakeWaiters);
        openings.values().forEach(waiting -> waiting.cancel(false));
        clientConnection.close();
    }

    @Override
    public String toString() {
        return principal.name() + " by HTTP";
    }
}
