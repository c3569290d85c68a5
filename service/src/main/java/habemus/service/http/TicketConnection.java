package habemus.service.http;

import habemus.lockservice.protocol.Message;
import habemus.service.server.ClientConnection;
import habemus.service.server.LockServerLoop;
import habemus.service.server.Principal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The connection to the lock server loop for all tickets of one principal. Dispatches each reply to its ticket. */
final class TicketConnection implements LockServerLoop.ReplyListener, AutoCloseable {

    private final Principal principal;
    private final ClientConnection clientConnection;
    private final Map<Long, CompletableFuture<Long>> openings = new ConcurrentHashMap<>(); // by nonce
    private final Map<Long, TicketState> tickets = new ConcurrentHashMap<>(); // by session

    TicketConnection(LockServerLoop loop, Principal principal) {
        this.principal = principal;
        clientConnection = loop.connect(principal, this).orElseThrow(TicketErrors::tooManyClients);
    }

    /** Completes with the session id once the session with this nonce is open. */
    CompletableFuture<Long> sessionFuture(long nonce) {
        return openings.computeIfAbsent(nonce, any -> new CompletableFuture<>());
    }

    void cancelOpening(long nonce) {
        openings.remove(nonce);
    }

    /** Subscribes to the replies for the session of this ticket. */
    void attach(TicketState ticket, long nonce) {
        tickets.put(ticket.session, ticket);
        send(new Message.Attach(ticket.session, nonce));
    }

    /** @throws ApiException if admission control rejects the request */
    void send(Message.ClientRequest request) {
        clientConnection.submit(request).ifPresent(rejection -> {
            boolean isLimit = rejection.code().startsWith("too-many");
            throw new ApiException(
                    isLimit ? 429 : 400,
                    isLimit ? "limit-exceeded" : "invalid-request",
                    rejection.message(),
                    rejection.hint());
        });
    }

    @Override
    public void onReplies(List<Message.ServerReply> replies) {
        for (Message.ServerReply reply : replies) {
            switch (reply) {
                case Message.SessionOpened(var nonce, var session) -> {
                    var opening = openings.remove(nonce);
                    if (opening != null) {
                        opening.complete(session);
                    }
                }
                case Message.SessionRefused(var nonce, var reason) -> {
                    var opening = openings.remove(nonce);
                    if (opening != null) {
                        opening.completeExceptionally(TicketErrors.rejected(reason, "any name", principal));
                    }
                }
                case Message.Renewed(var session, var number) -> {
                    var ticket = tickets.get(session);
                    if (ticket != null) {
                        ticket.onRenewed(number);
                    }
                }
                case Message.Result(var session, var number, var operationResult) -> {
                    var ticket = tickets.get(session);
                    if (ticket != null) {
                        ticket.onAnswer(number, operationResult);
                    }
                }
                case Message.SessionExpired(var session) -> {
                    var ticket = tickets.remove(session);
                    if (ticket != null) {
                        ticket.onSessionUnknown();
                    }
                }
                case Message.ResourceChanged resourceChanged -> {}
            }
        }
    }

    @Override
    public void close() {
        tickets.values().forEach(TicketState::wakeWaiters);
        openings.values().forEach(opening -> opening.cancel(false));
        clientConnection.close();
    }

    /** The address of the client in log lines. */
    @Override
    public String toString() {
        return "HTTP";
    }
}
