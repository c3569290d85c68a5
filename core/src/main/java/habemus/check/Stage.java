package habemus.check;

import static java.util.Objects.requireNonNull;

import habemus.protocol.Durable;
import habemus.protocol.Event;
import habemus.protocol.Mutex;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.protocol.Serving;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.protocol.Watchful;
import habemus.world.Fault;
import habemus.world.Happening;
import habemus.world.Problem;
import habemus.world.TraceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The world's half of a step: what may happen at a cell, and what becomes of it. Pure, so that the tables ask only once
 * for each cell; and the same as the simulator's, so that what holds here holds there.
 */
final class Stage<S, M> {

    /** What a node without a disk remembers. */
    private static final String NOTHING = "nothing";

    private final Protocol<S, M> protocol;
    private final Scope scope;
    private final boolean causal;
    private final List<NodeId> nodes;

    /** @param causal whether the requests in the past of everything are kept */
    Stage(Protocol<S, M> protocol, Scope scope, boolean causal) {
        this.protocol = protocol;
        this.scope = scope;
        this.causal = causal;
        nodes = scope.topology().nodes();
    }

    Protocol<S, M> protocol() {
        return protocol;
    }

    Scope scope() {
        return scope;
    }

    NodeId id(int node) {
        return nodes.get(node);
    }

    int index(NodeId node) {
        return nodes.indexOf(node);
    }

    /** What may happen at a node without a message; whether it may happen now depends on the others too. */
    List<Choice> choices(Cell cell) {
        var choices = new ArrayList<Choice>();
        if (Toll.PARTITION.granted(scope) > 0) {
            addCuts(choices, cell.node());
        }
        if (!cell.up()) {
            addIfGranted(choices, Choice.Kind.RESTART);
            addIfGranted(choices, Choice.Kind.AMNESIA);
            return choices;
        }
        if (cell.use() == Cell.Use.INSIDE) {
            choices.add(Choice.of(Choice.Kind.LEAVE, new Event.Release<M>()));
        }
        if (cell.willAsk()) {
            choices.add(Choice.of(
                    Choice.Kind.ASK, protocol instanceof Mutex ? new Event.Acquire<M>() : new Event.Campaign<M>()));
        }
        for (var pending : cell.alarms()) {
            choices.add(Choice.of(Choice.Kind.RING, new Event.Elapsed<M>(pending.alarm())));
        }
        if (protocol instanceof Watchful) {
            addNews(choices, cell);
        }
        if (Toll.PAUSE.granted(scope) > 0) {
            choices.add(Choice.of(Choice.Kind.PAUSE));
            choices.add(Choice.of(Choice.Kind.RESUME));
        }
        if (mayCrash(cell)) {
            addIfGranted(choices, Choice.Kind.CRASH);
        }
        return choices;
    }

    private void addNews(List<Choice> choices, Cell cell) {
        for (NodeId peer : scope.topology().place(id(cell.node())).neighbours()) {
            if (cell.suspected().contains(peer)) {
                choices.add(Choice.of(Choice.Kind.RESTORE, new Event.Restore<M>(peer)));
            } else {
                choices.add(Choice.of(Choice.Kind.SUSPECT, new Event.Suspect<M>(peer)));
                if (Toll.MISTAKE.granted(scope) > 0) {
                    choices.add(Choice.of(Choice.Kind.MISTAKE, new Event.Suspect<M>(peer)));
                }
            }
        }
    }

    /** Every way to cut links of which this node is the first that is not heard, and the mending of each. */
    private void addCuts(List<Choice> choices, int node) {
        var all = NodeSet.of(nodes);
        for (int others = 0; others < 1 << nodes.size() - node - 1; others++) {
            var side = NodeSet.of(id(node));
            for (int i = node + 1; i < nodes.size(); i++) {
                side = (others >> i - node - 1 & 1) != 0 ? side.with(id(i)) : side;
            }
            var rest = all.without(side);
            if (!rest.isEmpty()) {
                addCut(choices, new Fault.Cut(side, rest, false));
            }
            if (node > 0) {
                addCut(choices, new Fault.Cut(side, rest, true));
            }
        }
    }

    private static void addCut(List<Choice> choices, Fault.Cut cut) {
        choices.add(Choice.of(Choice.Kind.PART, cut));
        choices.add(Choice.of(Choice.Kind.MEND, cut));
    }

    private void addIfGranted(List<Choice> choices, Choice.Kind kind) {
        if (kind.toll == null || kind.toll.granted(scope) > 0) {
            choices.add(Choice.of(kind));
        }
    }

    /** What may become of a letter at the head of its link. */
    List<Choice> choices(Cell cell, Letter letter) {
        var choices = new ArrayList<Choice>();
        if (Toll.PARTITION.granted(scope) > 0) {
            choices.add(Choice.of(Choice.Kind.CUT_OFF, null, letter));
        }
        if (!cell.up()) {
            choices.add(Choice.of(Choice.Kind.VANISH, null, letter));
            return choices;
        }
        @SuppressWarnings("unchecked") // only this protocol's messages are put into letters
        var event = new Event.Received<>(letter.from(), (M) letter.message());
        choices.add(Choice.of(Choice.Kind.RECEIVE, event, letter));
        if (Toll.LOSS.granted(scope) > 0) {
            choices.add(Choice.of(Choice.Kind.LOSE, null, letter));
        }
        if (Toll.DUPLICATION.granted(scope) > 0) {
            choices.add(Choice.of(Choice.Kind.DOUBLE, event, letter));
        }
        return choices;
    }

    /** All outcomes of the start of a node. */
    List<Outcome> start(int node) {
        boolean asks = !(protocol instanceof Serving<S, M> serving) || serving.asks(id(node));
        boolean calls = scope.callers().contains(id(node)) && asks && Problem.of(protocol) != Problem.DETECTOR;
        int left = calls ? scope.calls() : 0;
        var blank = blank(
                new Cell(node, NOTHING, Cell.Life.DOWN, Cell.Use.OUT, left, List.of(), NodeSet.NONE, 0, NodeSet.NONE));
        return Dice.outcomes(dice -> {
            var scene = new Scene<>(this, blank, dice);
            scene.comeUp(twice(this::started, node), TraceLine.Start.FIRST);
            return scene.outcome();
        });
    }

    /** All outcomes of a choice: one, unless dice are rolled. */
    List<Outcome> outcomes(Cell cell, Choice choice) {
        return switch (choice.kind()) {
            case CRASH -> List.of(crash(cell, List.of(), List.of()));
            case LOSE, VANISH, CUT_OFF -> List.of(new Outcome(cell, List.of(), List.of()));
            case PAUSE -> List.of(seeing(cell, new Happening.Paused(id(cell.node()))));
            case RESUME -> Dice.outcomes(dice -> resume(cell, dice));
            case PART -> List.of(seeing(cell, new Happening.Parted(requireNonNull(choice.cut()))));
            case MEND -> List.of(seeing(cell, new Happening.Mended(requireNonNull(choice.cut()))));
            case RESTART, AMNESIA -> Dice.outcomes(dice -> restart(cell, choice.kind(), dice));
            default -> Dice.outcomes(dice -> tell(cell, choice, dice));
        };
    }

    /** What is urgent and overdue comes at once. */
    private Outcome resume(Cell cell, Dice dice) {
        var scene = new Scene<>(this, cell.living(Cell.Life.LATE), dice);
        scene.see(new Happening.Resumed(id(cell.node())));
        for (var pending : cell.alarms()) {
            if (pending.atMost() == 0 && protocol instanceof Timed<S, M, ?> timed && timed.isUrgent(pending.alarm())) {
                scene.ring(pending.alarm());
            }
        }
        return scene.outcome();
    }

    private static Outcome seeing(Cell cell, Happening happening) {
        return new Outcome(cell, List.of(new Outcome.Out.Seen(happening)), List.of(cell));
    }

    /** Whether the node is one that may crash after so many outs. */
    boolean mayCut(Outcome whole, int outs) {
        var cell = whole.during().get(outs - 1);
        return mayCrash(cell);
    }

    private boolean mayCrash(Cell cell) {
        var id = id(cell.node());
        return scope.crashes().mayStrike(id, cell) && !(protocol instanceof Serving<S, M> serving && serving.lasts(id));
    }

    /** The same, with a crash after so many outs. */
    Outcome cut(Outcome whole, int outs) {
        return crash(
                whole.during().get(outs - 1),
                whole.outs().subList(0, outs),
                whole.during().subList(0, outs));
    }

    @SuppressWarnings("unchecked") // only this protocol's states are put into cells
    S state(Cell cell) {
        return (S) cell.state();
    }

    private Outcome crash(Cell cell, List<Outcome.Out> done, List<Cell> during) {
        var id = id(cell.node());
        var outs = new ArrayList<>(done);
        if (cell.leader() != 0) {
            outs.add(new Outcome.Out.Seen(new Happening.Disowned(id, new NodeId(cell.leader()))));
        }
        boolean asking = cell.use() == Cell.Use.WAITING || cell.use() == Cell.Use.CANDIDATE;
        outs.add(new Outcome.Out.Seen(new Happening.Crashed(id, asking)));
        Object memory = protocol instanceof Durable<S, M, ?> durable ? durable.memory(state(cell)) : NOTHING;
        var past = new ArrayList<>(during);
        while (past.size() < outs.size()) {
            past.add(cell);
        }
        return new Outcome(cell.down(memory), List.copyOf(outs), List.copyOf(past));
    }

    private Outcome restart(Cell cell, Choice.Kind kind, Dice dice) {
        var scene = new Scene<>(this, blank(cell), dice);
        scene.see(new Happening.Restarted(id(cell.node())));
        if (kind == Choice.Kind.RESTART && protocol instanceof Durable<S, M, ?> durable) {
            scene.comeUp(remembered(durable, cell), TraceLine.Start.WITH_MEMORY);
        } else {
            scene.comeUp(twice(this::started, cell.node()), TraceLine.Start.WITH_AMNESIA);
        }
        return scene.outcome();
    }

    private static Cell blank(Cell cell) {
        return new Cell(
                cell.node(), NOTHING, Cell.Life.UP, Cell.Use.OUT, cell.left(), List.of(), NodeSet.NONE, 0, cell.past());
    }

    private Step<S, M> started(int node) {
        return protocol.start(scope.topology().place(id(node)));
    }

    @SuppressWarnings("unchecked") // what crash() put there
    private <D> Step<S, M> remembered(Durable<S, M, D> durable, Cell cell) {
        var place = scope.topology().place(id(cell.node()));
        return twice(memory -> durable.restart(place, memory), (D) cell.state());
    }

    @SuppressWarnings("unchecked") // only this protocol's events are put into choices
    private Outcome tell(Cell cell, Choice choice, Dice dice) {
        var scene = new Scene<>(this, cell, dice);
        var event = (Event<M>) requireNonNull(choice.event());
        scene.prepare(event, choice.letter(), causal);
        scene.tell(event);
        return scene.outcome();
    }

    /** One event, twice: nothing but the state and the event may decide what comes of it. */
    Step<S, M> step(S state, Event<M> event) {
        return twice(same -> protocol.step(same, event), state);
    }

    private static <A, B> B twice(Function<A, B> pure, A argument) {
        B one = pure.apply(argument);
        B other = pure.apply(argument);
        if (!one.equals(other)) {
            throw new Impure(one, other);
        }
        return one;
    }
}
