package habemus.service.http;

import habemus.fenced.Talk;
import habemus.service.session.Connection;
import habemus.service.session.Reception;
import habemus.service.session.Visitor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Speaks with the reception for all tickets of one visitor, and passes on to each what it is told. */
final class Speaker implements Reception.Caller, AutoCloseable {

    private final Visitor visitor;
    private final Connection connection;
    private final Map<Long, CompletableFuture<Long>> opening = new ConcurrentHashMap<>(); // by nonce
    private final Map<Long, Seat> seats = new ConcurrentHashMap<>(); // by session

    Speaker(Reception reception, Visitor visitor) {
        this.visitor = visitor;
        connection = reception
                .connect(visitor, this)
                .orElseThrow(() -> new Trouble(429, "too-many", "this node has too many clients", "try another node"));
    }

    /** The session, as soon as there is one. */
    CompletableFuture<Long> opening(long nonce) {
        return opening.computeIfAbsent(nonce, any -> new CompletableFuture<>());
    }

    void forget(long nonce) {
        opening.remove(nonce);
    }

    /** Is told of it from now on. */
    void attach(Seat seat) {
        seats.put(seat.session, seat);
        say(new Talk.Attach(seat.session, seat.nonce));
    }

    /** @throws Trouble if that is refused before it is said */
    void say(Talk.Request request) {
        connection.say(request).ifPresent(refused -> {
            throw new Trouble(
                    refused.code().startsWith("too-many") ? 429 : 400,
                    refused.code().startsWith("too-many") ? "too-many" : "wrong",
                    refused.message(),
                    refused.hint());
        });
    }

    @Override
    public void told(List<Talk.Reply> replies) {
        for (Talk.Reply reply : replies) {
            switch (reply) {
                case Talk.Opened(var nonce, var session) -> {
                    var waiting = opening.remove(nonce);
                    if (waiting != null) {
                        waiting.complete(session);
                    }
                }
                case Talk.Renewed(var session, var number) -> {
                    var seat = seats.get(session);
                    if (seat != null) {
                        seat.renewed(number);
                    }
                }
                case Talk.Answered(var session, var number, var answer) -> {
                    var seat = seats.get(session);
                    if (seat != null) {
                        seat.answered(number, answer);
                    }
                }
                case Talk.Gone(var session) -> {
                    var seat = seats.remove(session);
                    if (seat != null) {
                        seat.gone();
                    }
                }
                case Talk.Changed changed -> {}
            }
        }
    }

    @Override
    public void close() {
        seats.values().forEach(Seat::wake);
        opening.values().forEach(waiting -> waiting.cancel(false));
        connection.close();
    }

    @Override
    public String toString() {
        return visitor.name() + " by HTTP";
    }
}
