package habemus.client;

import habemus.drive.Turns;
import habemus.fenced.Description;
import habemus.fenced.Name;
import habemus.fenced.Parcel;
import habemus.fenced.Person;
import habemus.fenced.Session;
import habemus.fenced.Session.Alarm;
import habemus.fenced.Session.Phase;
import habemus.fenced.Talk;
import habemus.protocol.Effect;
import habemus.protocol.NodeId;
import habemus.protocol.Place;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives the session of a client: takes what happens, one thing at a time, lets the session decide, and carries out
 * what it wants. When a session is over, the next request opens another one.
 *
 * <p>An alarm that is due rings before anything that waits: after a long pause the acknowledgement that came too late
 * must not be taken for one in time.
 */
final class Driver implements Line.Ear {

    private static final Logger LOG = LoggerFactory.getLogger(Habemus.class);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int TOGETHER = 256; // by one who came for another reason

    /** The session talks to one of two nodes, and then to the other; {@link Lines} knows which these are. */
    private static final Place PLACE = new Place(new NodeId(3), List.of(new NodeId(1), new NodeId(2)));

    private final Options options;
    private final Person person;
    private final Turns<Runnable> turns = new Turns<>(this::attend, this::flush);
    private final Sights sights = new Sights();
    private final Lines lines;
    private final Meters meters = Meters.FOUND; // found now, because later there is no time for it
    private final List<CompletableFuture<Void>> awaitingLife = new ArrayList<>();
    private Optional<Life> life = Optional.empty();
    private boolean closing;
    private boolean ended;
    private volatile boolean faultTolerant = true;
    private volatile String troubles = "";

    Driver(Options options, Person person) {
        this.options = options;
        this.person = person;
        lines = new Lines(options, this, sights);
    }

    void start() {
        turns.start(Thread.ofVirtual().name("habemus-" + person.name()).factory());
    }

    static IllegalStateException closed() {
        return new IllegalStateException("this client is closed");
    }

    /** What was last wrong with the nodes; maybe nothing. */
    String troubles() {
        return troubles;
    }

    /** For the driver's thread. */
    boolean isLive() {
        return life.filter(Life::isLive).isPresent();
    }

    boolean isFaultTolerant() {
        return faultTolerant;
    }

    Duration patience() {
        return options.connectTimeout();
    }

    /** To be done in its turn, maybe at once. */
    void post(Runnable event) {
        turns.add(event);
    }

    private long attend() {
        try {
            for (int taken = 0; taken < TOGETHER; taken++) {
                ring();
                var event = turns.poll();
                if (event == null) {
                    break;
                }
                event.run();
            }
        } catch (RuntimeException | Error bug) {
            LOG.error("The client {} has met a bug and ends; all that it held is lost", person, bug);
            end();
        }
        return Math.min(
                Turns.LONG,
                life.map(current -> current.quiet(System.nanoTime())).orElse(Turns.LONG));
    }

    private void flush() {
        lines.flush();
    }

    private void end() {
        if (!ended) {
            ended = true;
            closing = true;
            lose(new Loss.Closed());
            turns.stop();
        }
    }

    /** One after the other, since each may calm or set others. */
    private void ring() {
        while (life.isPresent()) {
            var current = life.get();
            var due = current.due(System.nanoTime());
            if (due.isEmpty()) {
                return;
            }
            perform(current, current.machine().elapsed(current.state(), due.get()));
        }
    }

    /** In the session there is, or in a new one. */
    void ask(Request request) {
        if (closing) {
            request.failed(closed());
        } else {
            ask(open(), request);
        }
    }

    /** In this session, or not at all. */
    void ask(Life asked, Request request) {
        if (!life.equals(Optional.of(asked)) || closing && !(request instanceof Farewell)) {
            request.lost(closing ? new Loss.Closed() : new Loss.Ended());
            return;
        }
        var step = asked.machine().ask(asked.state(), request.wish());
        asked.keep(step.state().last(), request);
        request.asked(asked, step.state().last());
        perform(asked, step);
    }

    /** Completed when there is a session. */
    CompletableFuture<Void> live() {
        var live = new CompletableFuture<Void>();
        post(() -> {
            if (closing) {
                live.completeExceptionally(closed());
            } else if (open().isLive()) {
                live.complete(null);
            } else {
                awaitingLife.add(live);
            }
        });
        return live;
    }

    CompletableFuture<Description> look(Name name) {
        return see(number -> new Parcel.Look(number, name), Description.class);
    }

    CompletableFuture<Sights.Circles> lookForDeadlocks() {
        return see(Parcel.LookForDeadlocks::new, Sights.Circles.class);
    }

    private <T> CompletableFuture<T> see(LongFunction<Parcel.ToService> question, Class<T> type) {
        var seen = new CompletableFuture<T>();
        post(() -> {
            if (closing) {
                seen.completeExceptionally(closed());
                return;
            }
            open(); // first, because a new line asks all that is open
            lines.send(sights.ask(question, answer -> answer(seen, type, answer), seen::isDone));
        });
        return seen;
    }

    private static <T> void answer(CompletableFuture<T> seen, Class<T> type, Object answer) {
        if (answer instanceof Refused refused) {
            seen.completeExceptionally(refused);
        } else {
            seen.complete(type.cast(answer));
        }
    }

    void watch(Sights.Watcher watcher) {
        post(() -> {
            if (!closing) {
                open();
                sights.add(watcher);
                lines.send(new Parcel.Said(new Talk.Watch()));
                watcher.missed();
            }
        });
    }

    void unwatch(Sights.Watcher watcher) {
        post(() -> sights.remove(watcher));
    }

    /** Gives everything back; what is not confirmed in time ends with the lease. */
    CompletableFuture<Void> close() {
        var farewell = new Farewell();
        post(() -> {
            boolean first = !closing;
            closing = true;
            awaitingLife.forEach(waiting -> waiting.completeExceptionally(closed()));
            if (first && isLive()) {
                var leaving = life.get();
                leaving.requests().forEach(request -> request.lost(new Loss.Closed()));
                ask(leaving, farewell);
            } else {
                farewell.failed(closed());
            }
        });
        return farewell.outcome();
    }

    void stop() {
        post(this::end);
    }

    private Life open() {
        if (life.isEmpty()) {
            var machine = new Session(person, options.lease(), RANDOM.nextLong() >>> 1);
            var step = machine.start(PLACE);
            life = Optional.of(new Life(machine, step.state()));
            perform(life.get(), step);
        }
        return life.orElseThrow();
    }

    private void perform(Life current, Step<Session.State, Talk> step) {
        long now = System.nanoTime(); // before anything is sent, so that deadlines are early rather than late
        boolean wasLive = current.isLive();
        current.be(step.state());
        for (var effect : step.effects()) {
            switch (effect) {
                case Effect.Send<Talk>(var to, var talk) -> lines.send(to, new Parcel.Said((Talk.Request) talk));
                case Effect.Wake<Talk>(var alarm, var atLeast, var atMost) ->
                    current.wake((Alarm) alarm, now + atLeast.toNanos());
                case Effect.Calm<Talk>(var alarm) -> current.calm((Alarm) alarm);
                case Effect.Lost<Talk>() -> lost(current);
                case Effect<Talk> other -> throw new ProtocolBug(other.toString(), step.state());
            }
        }
        current.publishDeadline();
        troubles = lines.troubles();
        if (!wasLive && current.isLive()) {
            LOG.debug("The session of {} is {}", person, current.state().phase());
            awaitingLife.forEach(waiting -> waiting.complete(null));
            awaitingLife.clear();
            lines.improve(other(current));
        }
    }

    /** What the session will call the next node. */
    private static NodeId other(Life current) {
        return PLACE.neighbours().get(current.state().node().equals(PLACE.next()) ? 1 : 0);
    }

    private void lost(Life current) {
        var why = ((Phase.Over) current.state().phase()).why();
        if (why != Session.Why.CLOSED && !closing) {
            LOG.warn("The session of {} is over: {}. {}", person, why, lines.troubles());
        }
        lose(
                switch (why) {
                    case OVERDUE -> new Loss.Overdue();
                    case GONE -> new Loss.Ended();
                    case CLOSED -> new Loss.Closed();
                });
    }

    /** First it is over for all; then each is told, and may ask anew. */
    private void lose(Loss why) {
        var over = life;
        life = Optional.empty();
        lines.drop();
        over.ifPresent(Life::end);
        over.ifPresent(last -> last.requests().forEach(request -> request.lost(why)));
        if (!closing && (sights.isAnybodyInterested() || !awaitingLife.isEmpty())) {
            open();
        }
    }

    @Override
    public void broke(Line broken, String why) {
        post(() -> {
            if (lines.broke(broken, why) && life.isPresent()) {
                LOG.debug("{} cannot talk to {}: {}", person, broken, why);
                var current = life.get();
                perform(current, current.machine().suspect(current.state(), broken.node()));
            }
        });
    }

    @Override
    public void heard(Line from, Parcel.ToClient parcel) {
        post(() -> life.ifPresent(current -> take(current, from, parcel)));
    }

    private void take(Life current, Line from, Parcel.ToClient parcel) {
        var before = current.state().node();
        if (parcel instanceof Parcel.Welcome && lines.isImprovedBy(from, other(current))) {
            perform(current, current.machine().suspect(current.state(), before));
        }
        if (!lines.isOpen(from)) {
            return; // of one that was given up
        }
        if (!(parcel instanceof Parcel.Welcome || parcel instanceof Parcel.Refused)) {
            lines.answered(from, current.state().node());
        }
        switch (parcel) {
            case Parcel.Welcome welcome -> welcomed(current, from, welcome);
            case Parcel.Told(Talk.Changed(var name)) -> sights.changed(name);
            case Parcel.Told(var reply) -> told(current, from, reply);
            case Parcel.Seen(var number, var description) -> sights.seen(number, description);
            case Parcel.SeenDeadlocks(var number, var circles) -> sights.seen(number, new Sights.Circles(circles));
            case Parcel.Withheld(var number, var why) -> sights.seen(number, Refusals.of(why));
            case Parcel.Refused refused -> refused(current, from, refused);
        }
    }

    private void welcomed(Life current, Line from, Parcel.Welcome welcome) {
        if (welcome.version() != Parcel.VERSION) {
            var message = "the node speaks version " + welcome.version() + ", and this client " + Parcel.VERSION;
            refused(current, from, new Parcel.Refused("version", message, "use a client of the same version"));
            return;
        }
        lines.welcomed(from, welcome);
        if (faultTolerant && !welcome.faultTolerant()) {
            LOG.warn("The service has a single node ({}): it is NOT fault tolerant", welcome.node());
        }
        faultTolerant = welcome.faultTolerant();
        if (current.isLive()) {
            lines.improve(other(current));
        }
    }

    private void told(Life current, Line from, Talk.Reply reply) {
        var left = current.remaining();
        perform(current, current.machine().receive(current.state(), from.node(), reply));
        if (reply instanceof Talk.Renewed) {
            meters.renewed(left);
            lines.improve(other(current));
        } else if (reply instanceof Talk.Answered(var id, var number, var answer) && current.isSession(id)) {
            current.request(number)
                    .filter(request -> !request.answered(answer))
                    .ifPresent(done -> current.forget(number));
        }
    }

    /** Before there is a session all who wait for one are told; later another node may be of another opinion. */
    private void refused(Life current, Line from, Parcel.Refused refused) {
        LOG.warn("{} refuses {}: {} ({})", from, person, refused.message(), refused.hint());
        if (current.isLive()) {
            broke(from, refused.message());
            return;
        }
        var why = Refusals.of(refused);
        var waiting = List.copyOf(awaitingLife);
        awaitingLife.clear();
        life = Optional.empty();
        lines.drop();
        current.end();
        waiting.forEach(one -> one.completeExceptionally(why));
        current.requests().forEach(request -> request.failed(why));
    }
}
