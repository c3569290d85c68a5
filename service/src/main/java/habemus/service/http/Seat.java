package habemus.service.http;

import habemus.fenced.Answer;
import habemus.fenced.Bid;
import habemus.fenced.Guest;
import habemus.fenced.Name;
import habemus.fenced.Table;
import habemus.fenced.Want;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A ticket as one node knows it: the session that it is, and what this node has said and heard of it. */
final class Seat {

    /** The request by which everything is asked for that the ticket is about. */
    static final long CLAIM = 1;

    final String id;
    final long session;
    final long nonce;
    private List<Want> wants = List.of();
    private String client = "";
    private long lease; // milliseconds
    private long fence;
    private long renewed; // the last renewal that was acknowledged
    private @Nullable Long fresh; // when the last thing was said that was acknowledged, on the monotonic clock
    private Answer.@Nullable Fault fault;
    private boolean leaving; // its client wants to be rid of it
    private String end = ""; // how it ended
    private long ended; // when, on the monotonic clock

    Seat(String id, long session, long nonce) {
        this.id = id;
        this.session = session;
        this.nonce = nonce;
    }

    /** What the table says of it: waiting, held, released, lost, expired. */
    synchronized String look(Table table) {
        if (end.isEmpty()) {
            table.sessions()
                    .get(session)
                    .filter(guest -> guest.nonce() == nonce)
                    .ifPresentOrElse(this::look, () -> end(leaving ? "released" : "expired"));
        }
        return end.isEmpty() ? fence > 0 ? "held" : "waiting" : end;
    }

    private void look(Guest guest) {
        client = guest.person().name();
        lease = guest.lease().toMillis();
        var bid = guest.bids().get(CLAIM);
        wants = bid.map(Bid::wants).orElse(wants);
        if (bid.isPresent()) {
            fence = bid.get() instanceof Bid.Holding holding ? holding.fence() : 0;
            return;
        }
        guest.answers().get(CLAIM).ifPresent(answer -> {
            switch (answer) {
                case Answer.Revoked revoked -> end("lost");
                case Answer.Refused(var why) -> fault = why;
                default -> end("released");
            }
        });
    }

    synchronized void end(String how) {
        if (end.isEmpty()) {
            end = how;
            ended = System.nanoTime();
            notifyAll();
        }
    }

    synchronized void leave() {
        leaving = true;
    }

    /** Its session is over. */
    synchronized void gone() {
        end(leaving ? "released" : "expired");
    }

    /** The number of its next request. */
    long next(Table table) {
        return 1
                + table.sessions()
                        .get(session)
                        .map(guest -> Math.max(
                                last(guest.answers().keys()), last(guest.bids().keys())))
                        .orElse(CLAIM);
    }

    private static long last(List<Long> numbers) {
        return numbers.isEmpty() ? CLAIM : numbers.getLast();
    }

    /** Whether this request has been answered for good. */
    boolean isAnswered(long number, Table table) {
        return table.sessions()
                .get(session)
                .filter(guest -> !guest.answers().contains(number))
                .isEmpty();
    }

    synchronized boolean isOver() {
        return !end.isEmpty();
    }

    synchronized boolean isOverSince(long nanos) {
        return isOver() && ended - nanos < 0;
    }

    /** What a node, or the table, has against it. */
    synchronized Optional<Answer.Fault> fault() {
        return Optional.ofNullable(fault);
    }

    synchronized void answered(long number, Answer answer) {
        if (number == CLAIM && answer instanceof Answer.Refused(var why)) {
            fault = why;
        }
        notifyAll();
    }

    synchronized void renewed(long number) {
        renewed = Math.max(renewed, number);
        notifyAll();
    }

    synchronized boolean isRenewed(long number) {
        return renewed >= number;
    }

    /** Something that was said then is in the log. */
    synchronized void freshSince(long nanos) {
        fresh = nanos;
    }

    /** Milliseconds that are left of the lease; nothing if another node was told. */
    synchronized Optional<Long> left() {
        return Optional.ofNullable(fresh)
                .map(since -> Math.max(0, lease - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since)));
    }

    /** Until something is heard of it, or so long, or for no reason: whoever calls this looks again anyway. */
    @SuppressWarnings("WaitNotInLoop")
    synchronized void await(long millis) {
        try {
            wait(Math.max(1, millis));
        } catch (InterruptedException interrupted) {
            throw TicketTrouble.interrupted();
        }
    }

    /** Whoever waits is to look again. */
    synchronized void wake() {
        notifyAll();
    }

    synchronized List<Want> wants() {
        return wants;
    }

    synchronized String client() {
        return client;
    }

    synchronized long lease() {
        return lease;
    }

    synchronized long fence() {
        return fence;
    }

    boolean isElection() {
        return wants().stream().anyMatch(want -> want.name().kind() == Name.Kind.ELECTION);
    }

    /** What it is about, for those who are told that it is over. */
    String words() {
        return isElection() ? "the leadership" : wants().size() > 1 ? "the locks" : "the lock";
    }
}
