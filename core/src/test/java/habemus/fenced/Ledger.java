package habemus.fenced;

import static java.util.Objects.requireNonNull;

import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.Protocol;
import habemus.world.Happening;
import habemus.world.TraceLine;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Reads a run of the production lock line by line, and notes what is broken that cannot be seen from outside alone:
 * what is in the log, what the table made of it, and what clients believe. It keeps its own accounts of who asked for
 * what and when, and of the table only looks who holds and who waits.
 *
 * <ul>
 *   <li><b>exactly-once</b>: a request that comes again changes nothing, nobody is answered what was not asked for in
 *       the log, and a claim has one fence.
 *   <li><b>waiters-in-order</b>: nobody is let in before one who came earlier and wants the same, unless by name.
 *   <li><b>no-lost-wake-up</b>: nobody waits who could be let in, nor in the end who was let in.
 *   <li><b>paired</b>: nobody gets in twice without having left, or by a lower fence; whoever has lost it knows that
 *       after two leases at the latest; of no node the leader's term ever becomes smaller.
 *   <li><b>late-order</b>: no order of an operator puts out one who was let in after the one who was meant.
 * </ul>
 */
public final class Ledger implements Consumer<TraceLine> {

    /** When it came, in commands, and with which rank. */
    private record Arrival(int rank, long index) {
        private static final Comparator<Arrival> ORDER =
                Comparator.comparingInt((Arrival one) -> -one.rank).thenComparingLong(Arrival::index);

        boolean isBefore(Arrival other) {
            return ORDER.compare(this, other) < 0;
        }
    }

    /** @param over since when the table says otherwise, in microseconds; it does not yet, if that is negative */
    private record Stay(long fence, long over) {}

    private final long twoLeases;
    private final Set<String> broken = new TreeSet<>();
    private final Set<Claim> asked = new HashSet<>();
    private final Map<Claim, Long> fences = new HashMap<>();
    private final Map<Claim, Arrival> arrivals = new HashMap<>();
    private final Map<NodeId, Stay> inside = new HashMap<>();
    private final Set<NodeId> paused = new HashSet<>();
    private final Map<NodeId, Long> terms = new HashMap<>(); // the last that each node knew of
    private final Map<NodeId, Fenced.State> clients = new TreeMap<>();
    private Table table = Table.EMPTY;
    private long place;

    public Ledger(Duration lease) {
        twoLeases = lease.toNanos() / 500;
    }

    /** So that whoever has only names can make one. */
    public static Protocol<?, ?> lock(int services, Duration lease, Duration reign, String aim, Duration tolerance) {
        return new Fenced(services, lease, reign, Fenced.Aim.valueOf(aim), tolerance);
    }

    public Set<String> broken() {
        return broken;
    }

    @Override
    public void accept(TraceLine line) {
        switch (line) {
            case TraceLine.Started started -> acted(started);
            case TraceLine.Stepped stepped -> {
                acted(stepped);
                if (stepped.event() instanceof Event.Received<?> received
                        && received.message() instanceof Fenced.Message.Said(Talk.Answered answer)) {
                    require(asked.contains(new Claim(answer.session(), answer.number())), "exactly-once");
                }
            }
            case TraceLine.Seen(var at, var happening) -> seen(at, happening);
            default -> {}
        }
        inside.forEach((node, stay) ->
                require(stay.over < 0 || paused.contains(node) || line.at() - stay.over <= twoLeases, "paired"));
    }

    /** The run has settled: nothing more will come. */
    public void end() {
        clients.forEach((node, state) -> {
            if (state.phase() instanceof Fenced.Phase.Waiting(var number)
                    && state.session().phase() instanceof Session.Phase.Live(var id, var nonce)) {
                require(!(bid(table, new Claim(id, number)) instanceof Bid.Holding), "no-lost-wake-up");
            }
        });
    }

    private void require(boolean fulfilled, String promise) {
        if (!fulfilled) {
            broken.add(promise);
        }
    }

    private static Bid bid(Table table, Claim claim) {
        return table.bid(claim).orElse(new Bid.Waiting(List.of(), new Turn(0, 0), 0));
    }

    private void acted(TraceLine.Acted line) {
        var state = (Fenced.State) line.state();
        switch (state.phase()) {
            case Fenced.Phase.Log log ->
                line.sent().forEach(mail -> {
                    if (mail.message() instanceof Fenced.Message.Next(var number, var entry) && number > place) {
                        place = number;
                        entry.commands().forEach(command -> take(line.at(), command));
                    }
                });
            case Fenced.Phase.Service(var number, var desk) -> look(line.node(), desk.table());
            case Fenced.Phase client -> clients.put(line.node(), state);
        }
    }

    private void look(NodeId node, Table known) {
        long term = known.locks().keys().stream()
                .flatMap(name -> known.holders(name).stream())
                .mapToLong(Holder::fence)
                .max()
                .orElse(Long.MAX_VALUE);
        require(term >= terms.getOrDefault(node, 0L), "paired");
        terms.merge(node, term == Long.MAX_VALUE ? 0 : term, Math::max);
    }

    private void take(long at, Command command) {
        var before = table;
        var applied = before.apply(Entry.of(0, command));
        table = applied.table();
        switch (command) {
            case Command.Ask ask when before.sessions().contains(ask.session()) -> asked(before, ask);
            case Command.Force(var order, var operator, var reason) -> ordered(before, order);
            default -> {}
        }
        boolean byName = command instanceof Command.Force(Command.Order.Transfer order, var operator, var reason);
        for (var news : applied.news()) {
            if (news instanceof News.Answered(var session, var number, Answer.Granted(var fence))) {
                var claim = new Claim(session, number);
                require(fences.computeIfAbsent(claim, same -> fence) == fence, "exactly-once");
                require(
                        byName || bid(before, claim) instanceof Bid.Holding || isNext(before, claim),
                        "waiters-in-order");
            }
        }
        waiting(table).forEach((claim, bid) -> require(!couldEnter(claim, bid), "no-lost-wake-up"));
        inside.replaceAll((node, stay) -> stay.over >= 0 || isHeld(stay.fence) ? stay : new Stay(stay.fence, at));
    }

    private void asked(Table before, Command.Ask ask) {
        var claim = new Claim(ask.session(), ask.number());
        if (!asked.add(claim)) {
            require(table.locks().equals(before.locks()) && table.ended() == before.ended(), "exactly-once");
        } else if (ask.wish() instanceof Wish.Acquire(var wants, var patient, var rank)) {
            arrivals.put(claim, new Arrival(rank, table.index()));
        }
    }

    private void ordered(Table before, Command.Order order) {
        long asOf = switch (order) {
            case Command.Order.Release release -> release.asOf();
            case Command.Order.Transfer transfer -> transfer.asOf();
            case Command.Order.Expire expire -> Long.MAX_VALUE;
        };
        for (var name : before.locks().keys()) {
            for (var holder : before.holders(name)) {
                require(holder.fence() <= asOf || isHeld(holder.fence()), "late-order");
            }
        }
    }

    private boolean isHeld(long fence) {
        return table.sessions().values().stream()
                .flatMap(guest -> guest.bids().values().stream())
                .anyMatch(bid -> bid instanceof Bid.Holding holding && holding.fence() == fence);
    }

    private static Map<Claim, Bid.Waiting> waiting(Table table) {
        var waiting = new TreeMap<Claim, Bid.Waiting>();
        table.sessions()
                .forEach((session, guest) -> guest.bids().forEach((number, bid) -> {
                    if (bid instanceof Bid.Waiting one) {
                        waiting.put(new Claim(session, number), one);
                    }
                }));
        return waiting;
    }

    private Arrival arrival(Claim claim) {
        return requireNonNull(arrivals.get(claim));
    }

    /** Whether nobody who still waits came earlier and wants some of the same. */
    private boolean isNext(Table before, Claim claim) {
        var bid = bid(table, claim);
        var own = arrival(claim);
        var now = waiting(table);
        return waiting(before).entrySet().stream()
                .noneMatch(other -> now.containsKey(other.getKey())
                        && shares(bid, other.getValue())
                        && arrival(other.getKey()).isBefore(own));
    }

    private static boolean shares(Bid one, Bid other) {
        return one.wants().stream().anyMatch(want -> other.unitsOf(want.name()) > 0);
    }

    private boolean couldEnter(Claim claim, Bid.Waiting bid) {
        boolean first = waiting(table).entrySet().stream()
                .noneMatch(other ->
                        shares(bid, other.getValue()) && arrival(other.getKey()).isBefore(arrival(claim)));
        return first && bid.wants().stream().allMatch(want -> want.size() - taken(want.name()) >= want.units());
    }

    private long taken(Name name) {
        return table.holders(name).stream().mapToLong(Holder::units).sum();
    }

    private void seen(long at, Happening happening) {
        switch (happening) {
            case Happening.Entered(var node, var fence) -> {
                require(!inside.containsKey(node), "paired");
                inside.put(node, new Stay(fence, isHeld(fence) ? -1 : at));
            }
            case Happening.Left(var node) -> inside.remove(node);
            case Happening.Crashed(var node, var asking) -> {
                inside.remove(node);
                paused.remove(node);
                clients.remove(node);
            }
            case Happening.Paused(var node) -> paused.add(node);
            case Happening.Resumed(var node) -> {
                paused.remove(node);
                inside.computeIfPresent(node, (same, stay) -> stay.over < 0 ? stay : new Stay(stay.fence, at));
            }
            default -> {}
        }
    }
}
