package habemus.fenced;

import habemus.fenced.Fenced.Alarm;
import habemus.fenced.Fenced.Memory;
import habemus.fenced.Fenced.Message;
import habemus.fenced.Fenced.State;
import habemus.protocol.Durable;
import habemus.protocol.Effect;
import habemus.protocol.Envelope;
import habemus.protocol.Mutex;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Place;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Serving;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.protocol.WireTags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The production lock as one machine: n1 is the replicated log, the next ones are the nodes of the service, each with
 * the table that the log makes, and the others are clients, each with a session.
 *
 * <pre>
 *   ·       ── start ────────────────────▶ Log, Service, Idle
 *   ·       ── restart ──────────────────▶ Service, Idle
 *   Idle    ── acquire ──────────────────▶ Waiting
 *   Waiting ── Answered ─────────────────▶ Holding
 *   Holding ── release ──────────────────▶ Idle
 *   Holding ── DEADLINE, OTHER_DEADLINE ─▶ Idle     not renewed in time
 *   Holding ── Answered ─────────────────▶ Idle     taken by an operator
 * </pre>
 *
 * <p>The log promises no more than a real one. It puts proposals in some order, loses what is proposed while its leader
 * changes, and says who leads, which an old leader may learn late. Like a majority of disks it never forgets.
 *
 * <p>Costs 6 messages an entry and 2 for every node of the service, besides sessions and renewals. Survives what a
 * network does, and crashes of clients and of nodes of the service as long as one is left. Never two get in, unless one
 * stands still, and then its fence is older. Assumes clocks of about the same rate.
 *
 * @param services how many nodes of the service there are
 * @param lease after which a client of whom nothing is heard loses all it has
 * @param reign for how long one leads at most; zero for ever
 * @param aim what everybody wants
 * @param tolerance after which an operator takes it from whoever has it; zero if there is none
 * @see <a href="https://doi.org/10.1145/74850.74870">Gray and Cheriton, SOSP 1989 (leases)</a>
 */
public record Fenced(int services, Duration lease, Duration reign, Aim aim, Duration tolerance)
        implements Mutex<State, Message>,
                Timed<State, Message, Alarm>,
                Durable<State, Message, Memory>,
                Serving<State, Message> {

    public enum Aim {
        /** The same lock. */
        ONE,
        /** Two locks at once, one of which is the same for all. */
        SEVERAL,
        /** To lead. Some have a higher rank. */
        LEAD
    }

    @WireTags({Message.Catch.class, Message.Copy.class, Message.Next.class, Message.Said.class})
    public sealed interface Message {
        /** Between a client and a node of the service, or to the log. */
        record Said(Talk content) implements Message, Envelope {}

        /** From the log, to all nodes of the service. */
        record Next(long place, Entry entry) implements Message {
            @Override
            public String toString() {
                return "Next(" + place + " " + Talk.of(entry.commands()) + ")";
            }
        }

        /** To the log, by one who missed something. */
        record Catch(long place) implements Message {}

        record Copy(long place, Table table) implements Message {
            @Override
            public String toString() {
                return "Copy(" + place + ")";
            }
        }
    }

    /** The first two are the log's, the third a client's; the others are those of the machines within. */
    public enum Alarm {
        MOVE,
        FORCE,
        CLOSE,
        TICK,
        BEAT,
        RENEW,
        RETRY,
        DEADLINE,
        OTHER_DEADLINE
    }

    @WireTags({Phase.Holding.class, Phase.Idle.class, Phase.Log.class, Phase.Service.class, Phase.Waiting.class})
    public sealed interface Phase {
        /**
         * @param place how many entries there are
         * @param moves how often the leader has changed
         * @param losing whether it loses the next proposal
         */
        record Log(long place, Table table, int moves, boolean losing) implements Phase {
            @Override
            public String toString() {
                return "Log(" + place + ")";
            }
        }

        /** @param place how many entries it has applied */
        record Service(long place, Desk.State desk) implements Phase {
            @Override
            public String toString() {
                return "Service(" + place + ")";
            }
        }

        record Idle() implements Phase {}

        /** @param claim the number of the request */
        record Waiting(long claim) implements Phase {}

        record Holding(long claim) implements Phase {}
    }

    /** @param lives how many sessions a client has had: the next has another nonce */
    public record Memory(long lives) {}

    /** @param session of a client; of others, one that is over */
    public record State(Place place, Phase phase, long lives, Session.State session) {
        private State in(Phase next) {
            return new State(place, next, lives, session);
        }

        private State with(long next, Session.State its) {
            return new State(place, phase, next, its);
        }
    }

    @Override
    public boolean asks(NodeId node) {
        return node.number() > 1 + services;
    }

    /** One node of the service is always left. */
    @Override
    public boolean lasts(NodeId node) {
        return node.number() <= 2;
    }

    @Override
    public Step<State, Message> start(Place place) {
        return begin(place, new Memory(0), true);
    }

    @Override
    public Memory memory(State s) {
        return new Memory(s.lives);
    }

    @Override
    public Step<State, Message> restart(Place place, Memory memory) {
        return begin(place, memory, false);
    }

    private Step<State, Message> begin(Place place, Memory memory, boolean first) {
        int number = place.self().number();
        var blank = new State(place, new Phase.Idle(), memory.lives, Session.none(nodes(place)));
        if (number == 1) {
            return to(blank.in(new Phase.Log(0, Table.EMPTY, 0, false)));
        }
        if (number > 1 + services) {
            return to(blank);
        }
        var desk = desk().start(place);
        var served = serve(blank, 0, desk);
        return first && number == 2 ? served.then(s -> hear(s, new Talk.Leading(true))) : served;
    }

    private Desk desk() {
        return new Desk(lease.dividedBy(10), lease.dividedBy(40));
    }

    private Session sessionOf(State s) {
        int number = s.place.self().number();
        return new Session(new Person("n" + number, "model", s.lives), lease, (number * 1_000L + s.lives) * 1_000);
    }

    /** The nodes of the service; every client begins with another. */
    private List<NodeId> nodes(Place place) {
        var nodes = new ArrayList<NodeId>();
        for (int i = 2; i <= 1 + services; i++) {
            nodes.add(new NodeId(i));
        }
        Collections.rotate(nodes, place.self().number());
        return List.copyOf(nodes);
    }

    @Override
    public Step<State, Message> acquire(State s) {
        ProtocolBug.unless(s.phase instanceof Phase.Idle, "acquire", s);
        return claim(s).calm(Alarm.CLOSE);
    }

    @Override
    public Step<State, Message> release(State s) {
        if (!(s.phase instanceof Phase.Holding(var claim))) {
            throw new ProtocolBug("release", s);
        }
        return speak(s.in(new Phase.Idle()), sessionOf(s).ask(s.session, new Wish.Release(claim)))
                .wake(Alarm.CLOSE, lease);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (s.phase) {
            case Phase.Log log -> order(s, log, from, message);
            case Phase.Service service -> follow(s, service, from, message);
            case Phase client
            when message instanceof Message.Said(var talk) ->
                speak(s, sessionOf(s).receive(s.session, from, talk));
            case Phase client -> throw new ProtocolBug(message.toString(), s);
        };
    }

    @Override
    public Step<State, Message> elapsed(State s, Alarm alarm) {
        return switch (alarm) {
            case MOVE -> move(s, (Phase.Log) s.phase);
            case FORCE -> interfere(s, (Phase.Log) s.phase);
            case CLOSE -> s.session.isOver() ? to(s) : speak(s, sessionOf(s).ask(s.session, new Wish.Close()));
            case TICK, BEAT -> {
                var service = (Phase.Service) s.phase;
                yield serve(s, service.place, desk().elapsed(service.desk, Desk.Alarm.valueOf(alarm.name())));
            }
            case RENEW, RETRY, DEADLINE, OTHER_DEADLINE ->
                speak(s, sessionOf(s).elapsed(s.session, Session.Alarm.valueOf(alarm.name())));
        };
    }

    @Override
    public boolean isUrgent(Enum<?> alarm) {
        return alarm == Alarm.DEADLINE || alarm == Alarm.OTHER_DEADLINE;
    }

    private Step<State, Message> order(State s, Phase.Log log, NodeId from, Message message) {
        return switch (message) {
            case Message.Said(Talk.Propose propose)
            when log.losing -> to(s.in(new Phase.Log(log.place, log.table, log.moves, false)));
            case Message.Said(Talk.Propose(var commands)) -> commit(s, log, new Entry(0, commands));
            case Message.Catch(var place)
            when place < log.place -> to(s).send(from, new Message.Copy(log.place, log.table));
            case Message.Catch late -> to(s);
            case Message foreign -> throw new ProtocolBug(foreign.toString(), s);
        };
    }

    /** Who leads is of interest only as long as there are sessions. */
    private Step<State, Message> commit(State s, Phase.Log log, Entry entry) {
        var next = new Phase.Log(log.place + 1, log.table.apply(entry).table(), log.moves, false);
        boolean begins =
                log.table.sessions().isEmpty() && !next.table.sessions().isEmpty();
        var step = to(s.in(next)).sendAll(NodeSet.of(nodes(s.place)), new Message.Next(next.place, entry));
        var moving = begins && !reign.isZero() ? step.wake(Alarm.MOVE, lease, reign) : step;
        boolean entered = fence(next.table) > fence(log.table);
        return entered && !tolerance.isZero() ? moving.wake(Alarm.FORCE, tolerance) : moving;
    }

    private long fence(Table table) {
        return table.holders(name()).stream().mapToLong(Holder::fence).max().orElse(0);
    }

    /** An operator who is not answered at once gives the order again. */
    private Step<State, Message> interfere(State s, Phase.Log log) {
        var order = new Command.Force(order(log.table), "operator", "impatience");
        return fence(log.table) == 0 ? to(s) : commit(s, log, Entry.of(0, order, order));
    }

    /** Of those who want to lead the last one is helped. */
    private Command.Order order(Table table) {
        var waiters = table.waiters(name());
        return aim == Aim.LEAD && !waiters.isEmpty()
                ? new Command.Order.Transfer(
                        name().text(), fence(table), waiters.getLast().person().name())
                : new Command.Order.Release(name(), fence(table));
    }

    /** Every other time the old leader is not told, but the next time. */
    private Step<State, Message> move(State s, Phase.Log log) {
        var next = s.in(new Phase.Log(log.place, log.table, log.moves + 1, true));
        var step = to(next);
        for (int i = 0; i < services; i++) {
            boolean leads = i == next(log) % services;
            boolean unaware = next(log) % 2 == 0 && i == log.moves % services;
            step = unaware && !leads ? step : step.send(new NodeId(2 + i), new Message.Said(new Talk.Leading(leads)));
        }
        return log.table.sessions().isEmpty() ? to(s) : step.wake(Alarm.MOVE, lease, reign);
    }

    private static int next(Phase.Log log) {
        return log.moves + 1;
    }

    private Step<State, Message> follow(State s, Phase.Service service, NodeId from, Message message) {
        return switch (message) {
            case Message.Next(var place, var entry)
            when place == service.place + 1 ->
                serve(s, place, desk().receive(service.desk, from, new Talk.Committed(entry)));
            case Message.Next(var place, var entry) ->
                place <= service.place ? to(s) : to(s).send(Desk.LOG, new Message.Catch(service.place));
            case Message.Copy(var place, var table) ->
                place <= service.place
                        ? to(s)
                        : serve(s, place, desk().receive(service.desk, from, new Talk.Installed(table)));
            case Message.Said(var talk) -> serve(s, service.place, desk().receive(service.desk, from, talk));
            case Message.Catch foreign -> throw new ProtocolBug(foreign.toString(), s);
        };
    }

    private Step<State, Message> hear(State s, Talk fromLog) {
        return follow(s, (Phase.Service) s.phase, Desk.LOG, new Message.Said(fromLog));
    }

    private Step<State, Message> serve(State s, long place, Step<Desk.State, Talk> step) {
        return within(s.in(new Phase.Service(place, step.state())), step);
    }

    /** With a new session, if the last one is over. */
    private Step<State, Message> claim(State s) {
        if (s.session.isClosing()) {
            return speak(s, sessionOf(s).abandon(s.session)).then(this::claim);
        }
        if (s.session.isOver()) {
            var next = s.with(s.lives + 1, s.session);
            return speak(next, sessionOf(next).start(new Place(s.place.self(), s.session.nodes())))
                    .then(this::claim);
        }
        int rank = aim == Aim.LEAD ? s.place.self().number() % 2 : 0;
        var step = sessionOf(s).ask(s.session, new Wish.Acquire(wants(s), true, rank));
        return speak(s.in(new Phase.Waiting(step.state().last())), step);
    }

    private List<Want> wants(State s) {
        var own = Want.exclusive("b" + s.place.self().number() % 2);
        return switch (aim) {
            case ONE -> List.of(Want.exclusive("a"));
            case SEVERAL -> List.of(own, Want.exclusive("a"));
            case LEAD -> List.of(Want.leadership("a"));
        };
    }

    /** Of what everybody wants. */
    private Name name() {
        return aim == Aim.LEAD ? Name.election("a") : Name.lock("a");
    }

    /** What the session says, and what it means to the application. */
    private Step<State, Message> speak(State s, Step<Session.State, Talk> step) {
        var session = step.state();
        var said = within(s.with(s.lives, session), step);
        return switch (s.phase) {
            case Phase.Waiting waiting when session.isOver() -> said.then(this::claim);
            case Phase.Waiting(var claim)
            when session.held().contains(claim) ->
                said.then(state -> to(state.in(new Phase.Holding(claim))))
                        .grant(session.held().get(claim).orElseThrow());
            case Phase.Waiting(var claim)
            when session.phase() instanceof Session.Phase.Live && !session.isPending(claim) ->
                said.then(this::claim); // taken before it knew
            case Phase.Holding holding when session.isOver() -> said.then(state -> to(state.in(new Phase.Idle())));
            case Phase.Holding(var claim)
            when !session.held().contains(claim) ->
                said.then(state -> to(state.in(new Phase.Idle()))).lost().wake(Alarm.CLOSE, lease);
            default -> said;
        };
    }

    /** A step of a machine within, with its alarms by our names. */
    private static Step<State, Message> within(State outer, Step<?, Talk> step) {
        var said = step.<State, Message>within(outer, Message.Said::new);
        return new Step<>(
                outer,
                said.effects().stream()
                        .<Effect<Message>>map(effect -> switch (effect) {
                            case Effect.Wake<Message>(var its, var atLeast, var atMost) ->
                                new Effect.Wake<>(Alarm.valueOf(its.name()), atLeast, atMost);
                            case Effect.Calm<Message>(var its) -> new Effect.Calm<>(Alarm.valueOf(its.name()));
                            case Effect<Message> other -> other;
                        })
                        .toList());
    }
}
