package habemus.service.record;

import static java.util.Objects.requireNonNull;

import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.world.Fault;
import habemus.world.Happening;
import habemus.world.Mail;
import habemus.world.TraceLine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes one run of the traces of all nodes: whatever arrived comes after its sending, whatever the clocks say; for the
 * rest the clocks decide.
 */
final class Merge<S, M> {

    /** Which message it is, wherever it is told of. */
    private record Key(NodeId from, long incarnation, long number) {}

    /** A node's lives, and how far the present one is told. */
    private final class Teller {
        private final ArrayDeque<Trace<S, M>> lives;
        private int told; // lines of the first of them

        Teller(List<Trace<S, M>> lives) {
            this.lives = new ArrayDeque<>(lives);
        }

        @Nullable
        Line<S, M> next() {
            return lives.isEmpty() || told == lives.getFirst().lines().size()
                    ? null
                    : lives.getFirst().lines().get(told);
        }
    }

    private final Onlooker onlooker;
    private final Map<NodeId, Teller> tellers = new TreeMap<>();
    private final Set<NodeId> started = new HashSet<>(); // at least once
    private final Set<Key> arrived = new HashSet<>();
    private final Set<Key> sent = new HashSet<>();
    private final Map<Key, Mail> mails = new HashMap<>();
    private final List<TraceLine> lines = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final long beginning;
    private long at;

    Merge(List<Trace<S, M>> traces, int nodes) {
        onlooker = new Onlooker(nodes);
        var byNode = new TreeMap<NodeId, List<Trace<S, M>>>();
        traces.stream()
                .filter(trace -> !trace.lines().isEmpty())
                .sorted(Comparator.comparingLong(trace -> trace.head().incarnation()))
                .forEach(trace -> byNode.computeIfAbsent(trace.head().node(), node -> new ArrayList<>())
                        .add(trace));
        byNode.forEach((node, lives) -> tellers.put(node, new Teller(lives)));
        traces.forEach(this::index);
        beginning = traces.stream()
                .flatMap(trace -> trace.lines().stream())
                .mapToLong(Line::at)
                .min()
                .orElse(0);
    }

    /** What is sent and what arrives in all of them. */
    private void index(Trace<S, M> trace) {
        var head = trace.head();
        for (Line<S, M> line : trace.lines()) {
            switch (line) {
                case Line.Started<S, M> started -> index(head, started.effects(), started.next());
                case Line.Stepped<S, M> stepped -> {
                    if (stepped.arrival().number() > 0) {
                        arrived.add(key(stepped));
                    }
                    index(head, stepped.effects(), stepped.next());
                }
                case Line.Stumbled<S, M> stumbled -> {} // what came last is shown as lost: nothing came of it
                case Line.Alive<S, M> alive -> {}
                case Line.Stopped<S, M> stopped -> {}
            }
        }
    }

    private void index(TraceHead head, List<Effect<M>> effects, long next) {
        letters(head, effects, next).forEach(letter -> sent.add(letter.key));
    }

    private record Letter(Key key, NodeId to, Object message) {}

    /** The messages to others among the effects, with their numbers. */
    private static <M> List<Letter> letters(TraceHead head, List<Effect<M>> effects, long next) {
        var letters = new ArrayList<Letter>();
        long number = next;
        for (Effect<M> effect : effects) {
            switch (effect) {
                case Effect.Send<M>(var to, var message)
                when !to.equals(head.node()) ->
                    letters.add(new Letter(new Key(head.node(), head.incarnation(), number++), to, message));
                case Effect.SendAll<M>(var all, var message) -> {
                    for (NodeId to : all) {
                        if (!to.equals(head.node())) {
                            letters.add(new Letter(new Key(head.node(), head.incarnation(), number++), to, message));
                        }
                    }
                }
                default -> {}
            }
        }
        return letters;
    }

    private Key key(Line.Stepped<S, M> stepped) {
        var from = ((Event.Received<M>) stepped.event()).from();
        return new Key(from, stepped.arrival().incarnation(), stepped.arrival().number());
    }

    /** What could not be made out. */
    List<String> notes() {
        return notes;
    }

    List<TraceLine> lines() {
        for (var next = earliest(); next != null; next = earliest()) {
            tell(next);
        }
        return lines;
    }

    /** Whose next line is the earliest of those that can be told now. */
    private @Nullable Teller earliest() {
        Teller earliest = null;
        Teller stuck = null;
        for (Teller teller : tellers.values()) {
            var line = teller.next();
            if (line == null) {
                continue;
            }
            if (!isReady(line)) {
                stuck = teller;
            } else if (earliest == null
                    || line.at() < requireNonNull(earliest.next()).at()) {
                earliest = teller;
            }
        }
        if (earliest == null && stuck != null) {
            notes.add("traces contradict each other: something arrived before it was sent");
            return stuck;
        }
        return earliest;
    }

    private boolean isReady(Line<S, M> line) {
        if (!(line instanceof Line.Stepped<S, M> stepped) || stepped.arrival().number() == 0) {
            return true;
        }
        var key = key(stepped);
        return mails.containsKey(key) || !sent.contains(key);
    }

    private void tell(Teller teller) {
        var line = requireNonNull(teller.next());
        var life = teller.lives.getFirst();
        at = Math.max(at, line.at() - beginning);
        switch (line) {
            case Line.Started<S, M> start -> start(life, start);
            case Line.Stepped<S, M> stepped -> step(life, stepped);
            case Line.Stumbled<S, M> stumbled ->
                notes.add(life.head().node() + "#" + life.head().incarnation() + " stopped at " + stumbled.event()
                        + ": " + stumbled.why());
            case Line.Alive<S, M> alive -> {}
            case Line.Stopped<S, M> stopped -> {}
        }
        teller.told++;
        if (teller.next() == null) {
            end(teller);
        }
    }

    private void start(Trace<S, M> life, Line.Started<S, M> start) {
        var node = life.head().node();
        var how = start.memory().size() > 0
                ? TraceLine.Start.WITH_MEMORY
                : started.contains(node) ? TraceLine.Start.WITH_AMNESIA : TraceLine.Start.FIRST;
        if (!started.add(node)) {
            lines.add(new TraceLine.Struck(at, new Fault.Restart(node, how == TraceLine.Start.WITH_AMNESIA)));
            see(List.of(new Happening.Restarted(node)));
        }
        var letters = letters(life.head(), start.effects(), start.next());
        lines.add(new TraceLine.Started(at, node, how, start.state(), start.effects(), post(letters)));
        lose(letters);
        see(onlooker.after(node, start.effects()));
    }

    private void step(Trace<S, M> life, Line.Stepped<S, M> stepped) {
        var node = life.head().node();
        long mail = 0;
        if (stepped.arrival().number() > 0) {
            var key = key(stepped);
            var letter = mails.get(key);
            if (letter == null) {
                notes.add(node + " received a message of " + key.from + "#" + key.incarnation
                        + " whose sending no trace tells of");
            } else {
                mail = letter.number();
                onlooker.received(node, letter.number());
            }
        }
        see(onlooker.before(node, stepped.event()));
        var letters = letters(life.head(), stepped.effects(), stepped.next());
        lines.add(new TraceLine.Stepped(
                at, node, stepped.event(), mail, stepped.state(), stepped.effects(), post(letters)));
        lose(letters);
        see(onlooker.after(node, stepped.effects()));
    }

    private List<Mail> post(List<Letter> letters) {
        var posted = new ArrayList<Mail>();
        for (Letter letter : letters) {
            var mail = new Mail(mails.size() + 1L, letter.key.from, letter.to, letter.message);
            mails.put(letter.key, mail);
            onlooker.sent(letter.key.from, mail.number());
            posted.add(mail);
        }
        return posted;
    }

    /** Those of which no trace tells that they arrived. */
    private void lose(List<Letter> letters) {
        for (Letter letter : letters) {
            if (!arrived.contains(letter.key)) {
                lines.add(new TraceLine.Fared(at, requireNonNull(mails.get(letter.key)), TraceLine.Fate.LOST));
            }
        }
    }

    /** A life is over: by a crash, unless all is over. */
    private void end(Teller teller) {
        var life = teller.lives.removeFirst();
        teller.told = 0;
        if (!teller.lives.isEmpty() || !life.isWhole()) {
            var node = life.head().node();
            lines.add(new TraceLine.Struck(at, new Fault.Crash(node)));
            see(onlooker.crashed(node));
        }
    }

    private void see(List<Happening> happenings) {
        happenings.forEach(happening -> lines.add(new TraceLine.Seen(at, happening)));
    }
}
