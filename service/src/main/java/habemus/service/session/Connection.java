package habemus.service.session;

import habemus.fenced.Answer;
import habemus.fenced.Claim;
import habemus.fenced.Parcel;
import habemus.fenced.Talk;
import habemus.protocol.NodeId;
import habemus.service.session.Visitor.Right;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One who is served by the {@link Reception}, be it through a socket or from within. Requests are carried out in their
 * order.
 */
public final class Connection implements AutoCloseable {

    /** Requests that may wait at the reception; then whoever says more waits himself. */
    private static final int ROOM = 1_024;

    private final Reception reception;
    private final NodeId number;
    private final Visitor visitor;
    private final Reception.Caller caller;
    private final Semaphore room = new Semaphore(ROOM);
    private final AtomicBoolean closed = new AtomicBoolean();

    // what follows is only for the reception's thread
    private final Set<Claim> calledOff = new HashSet<>();
    private List<Talk.Reply> replies = new ArrayList<>();
    private boolean gone;

    Connection(Reception reception, NodeId number, Visitor visitor, Reception.Caller caller) {
        this.reception = reception;
        this.number = number;
        this.visitor = visitor;
        this.caller = caller;
    }

    /**
     * Whatever comes of it is told to the caller. Waits while too much of this connection waits.
     *
     * @return why whoever says this is not served any more
     */
    public Optional<Parcel.Refused> say(Talk.Request request) {
        var refused = put(request);
        reception.attend();
        return refused;
    }

    /** The same, for one who has more to say, and then {@linkplain Reception#attend sees} to it that it is heard. */
    Optional<Parcel.Refused> put(Talk.Request request) {
        var screen = reception.screen();
        if (request instanceof Talk.Open open) {
            var refused = screen.opening(open, reception.served());
            if (refused.isPresent()) {
                reception.tally().refused.increment();
                return refused;
            }
        }
        if (!room.tryAcquire()) {
            reception.attend();
            room.acquireUninterruptibly();
        }
        reception.put(request instanceof Talk.Ask ask ? screened(screen, ask) : new Event.Said(this, request));
        return Optional.empty();
    }

    private Event screened(Screen screen, Talk.Ask ask) {
        var fault = screen.asking(ask, visitor);
        if (fault.isPresent()) {
            if (fault.get() == Answer.Fault.FORBIDDEN) {
                reception
                        .access()
                        .refuse(visitor.name(), caller.toString(), ask.wish().toString());
            }
            var answer = new Answer.Refused(fault.get());
            return new Event.Refused(this, new Talk.Answered(ask.session(), ask.number(), answer));
        }
        return screen.isTooMuch(ask, reception.table()) ? new Event.TooMuch(this, ask) : new Event.Said(this, ask);
    }

    /** Its sessions live on, for a while. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            room.release(Integer.MAX_VALUE / 2); // nobody waits for what is over
            reception.add(new Event.Left(this));
        }
    }

    public Visitor visitor() {
        return visitor;
    }

    NodeId number() {
        return number;
    }

    void taken() {
        room.release();
    }

    boolean isGone() {
        return gone;
    }

    void leave() {
        gone = true;
    }

    /** That this claim is called off before it comes; false if too many are. */
    boolean callOff(Claim claim, int most) {
        return calledOff.size() < most && calledOff.add(claim);
    }

    /** Whether these are the first words for it. */
    boolean gather(Talk.Reply reply) {
        if (reply instanceof Talk.Changed(var name) && !visitor.may(Right.INSPECT, name)) {
            return false;
        }
        replies.add(reply instanceof Talk.Answered answered && !calledOff.isEmpty() ? meant(answered) : reply);
        return replies.size() == 1;
    }

    /** Who was called off for want of room is told so. */
    private Talk.Reply meant(Talk.Answered answered) {
        return calledOff.remove(new Claim(answered.session(), answered.number()))
                        && answered.answer() instanceof Answer.Released
                ? new Talk.Answered(answered.session(), answered.number(), new Answer.Refused(Answer.Fault.TOO_MANY))
                : answered;
    }

    void tell() {
        var told = replies;
        replies = new ArrayList<>();
        caller.told(told);
    }

    @Override
    public String toString() {
        return caller.toString();
    }
}
