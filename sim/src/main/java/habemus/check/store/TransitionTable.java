package habemus.check.store;

import habemus.check.model.Action;
import habemus.check.model.ActionOutcome;
import habemus.check.model.FaultBudget;
import habemus.check.model.ImpureStepException;
import habemus.check.model.NodeSemantics;
import habemus.check.model.NodeState;
import habemus.check.model.PendingMessage;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.world.ObservableEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Works out once for each cell what can happen there: the only place from which the algorithm is asked. */
public final class TransitionTable {

    /** About what a cell and a turn take, in bytes: with all else it comes near to what the heap shows. */
    private static final long NODE_STATE_BYTES = 200;

    private static final long TRANSITION_BYTES = 160;

    private final NodeSemantics<?, ?> nodeSemantics;
    private final boolean tracksCausality;
    private final InboxTable inboxTable;
    private final GlobalStateTable globalStateTable;
    private final Interner<NodeState> nodeStates = new Interner<>();
    private final LongIntMap ranges = new LongIntMap(); // by cell, and one more than the letter
    private final IntRowStore rangeStarts =
            new IntRowStore(1); // by asking, the first of its turns; the last ends where the next begins
    private volatile Transition[] transitions = new Transition[1 << 10];
    private int size;

    TransitionTable(
            NodeSemantics<?, ?> nodeSemantics,
            boolean causal,
            InboxTable inboxTable,
            GlobalStateTable globalStateTable) {
        this.nodeSemantics = nodeSemantics;
        this.tracksCausality = causal;
        this.inboxTable = inboxTable;
        this.globalStateTable = globalStateTable;
    }

    public NodeState nodeState(int number) {
        return nodeStates.get(number);
    }

    public int nodeState(NodeState nodeState) {
        return nodeStates.intern(nodeState);
    }

    /** About what it takes, all in: what a cell is made of is the algorithm's. */
    long bytes() {
        return nodeStates.bytes()
                + NODE_STATE_BYTES * nodeStates.size()
                + ranges.bytes()
                + rangeStarts.bytes()
                + 4L * transitions.length
                + TRANSITION_BYTES * size;
    }

    /** Anybody may ask at any time for a turn of which they know. */
    Transition get(int turn) {
        return transitions[turn];
    }

    /** What can happen without a letter, as the number of an asking. */
    public int withoutMessage(int cell) {
        int known = ranges.get(key(cell, 0));
        return known != LongIntMap.ABSENT
                ? known
                : ranges.put(key(cell, 0), computeRange(cell, nodeSemantics.actions(nodeStates.get(cell))));
    }

    /** What can become of a letter, as the number of an asking. */
    public int onMessage(int cell, int letter) {
        long key = key(cell, letter + 1);
        int known = ranges.get(key);
        return known != LongIntMap.ABSENT
                ? known
                : ranges.put(
                        key,
                        computeRange(cell, nodeSemantics.actions(nodeStates.get(cell), inboxTable.message(letter))));
    }

    /** The first turn of an asking. */
    int begin(int range) {
        return rangeStarts.get(range, 0);
    }

    /** The first turn of the next asking. */
    int end(int range) {
        return range + 1 < rangeStarts.size() ? rangeStarts.get(range + 1, 0) : size;
    }

    /** All turns of an asking. */
    public List<Transition> transitions(int range) {
        return Arrays.asList(transitions).subList(begin(range), end(range));
    }

    private static long key(int cell, int raised) {
        return (long) cell << 32 | raised;
    }

    private int computeRange(int cell, List<Action> actions) {
        int range = rangeStarts.add(size);
        for (Action action : actions) {
            transitionsOf(cell, action).forEach(this::add);
        }
        return range;
    }

    private void add(Transition transition) {
        var more = size < transitions.length ? transitions : Arrays.copyOf(transitions, transitions.length / 2 * 3);
        more[size++] = transition;
        transitions = more;
    }

    /** The outcomes of a start, as turns of a node that was not there before. */
    List<Transition> starts(int node) {
        var actionOutcomes = nodeSemantics.startOutcomes(node);
        var starts = new ArrayList<Transition>();
        for (int i = 0; i < actionOutcomes.size(); i++) {
            starts.add(transition(
                    Action.of(Action.Kind.AMNESIA), new Transition.Branch(i, 0), -1, List.of(), actionOutcomes.get(i)));
        }
        return starts;
    }

    private List<Transition> transitionsOf(int cell, Action action) {
        var made = new ArrayList<Transition>();
        List<ActionOutcome> actionOutcomes;
        try {
            actionOutcomes = nodeSemantics.outcomes(nodeStates.get(cell), action);
        } catch (ProtocolBug | ImpureStepException impossible) {
            int account = globalStateTable.effect(List.of(), charges(action, false));
            var branch = new Transition.Branch(0, 0);
            return List.of(new Transition(
                    action,
                    action.kind(),
                    branch,
                    cell,
                    cell,
                    peer(action),
                    sender(action),
                    Transition.OutgoingMessages.NONE,
                    account,
                    false,
                    false,
                    impossible));
        }
        for (int i = 0; i < actionOutcomes.size(); i++) {
            var actionOutcome = actionOutcomes.get(i);
            made.add(transition(action, new Transition.Branch(i, 0), cell, charges(action, false), actionOutcome));
            if (nodeSemantics.scope().crashModel().midStep()
                    && action.event() != null
                    && FaultBudget.CRASH.initial(nodeSemantics.scope()) > 0) {
                made.addAll(midStepCrashes(action, i, cell, actionOutcome));
            }
        }
        return made;
    }

    private List<Transition> midStepCrashes(Action action, int which, int cell, ActionOutcome whole) {
        var made = new ArrayList<Transition>();
        boolean stepped = false;
        for (int outs = 1; outs < whole.outputs().size(); outs++) {
            var last = whole.outputs().get(outs - 1);
            stepped |= last instanceof ActionOutcome.Output.StepTaken;
            if (stepped
                    && !(last instanceof ActionOutcome.Output.EventObserved)
                    && nodeSemantics.mayCrashAfter(whole, outs)) {
                made.add(transition(
                        action,
                        new Transition.Branch(which, outs),
                        cell,
                        charges(action, true),
                        nodeSemantics.crashAfter(whole, outs)));
            }
        }
        return made;
    }

    private static List<FaultBudget> charges(Action action, boolean crashes) {
        var faultBudgets = new ArrayList<FaultBudget>();
        if (action.kind().budget != null) {
            faultBudgets.add(action.kind().budget);
        }
        if (crashes) {
            faultBudgets.add(FaultBudget.CRASH);
        }
        return List.copyOf(faultBudgets);
    }

    private int peer(Action action) {
        var peer = action.peer();
        return peer == null ? -1 : nodeSemantics.indexOf(peer);
    }

    private int sender(Action action) {
        var pendingMessage = action.pendingMessage();
        return pendingMessage == null ? -1 : nodeSemantics.indexOf(pendingMessage.from());
    }

    private Transition transition(
            Action action,
            Transition.Branch branch,
            int before,
            List<FaultBudget> faultBudgets,
            ActionOutcome actionOutcome) {
        var seen = actionOutcome.observableEvents();
        return new Transition(
                action,
                action.kind(),
                branch,
                before,
                nodeState(actionOutcome.nodeState()),
                peer(action),
                sender(action),
                outgoing(actionOutcome),
                globalStateTable.effect(seen, faultBudgets),
                tracksCausality && seen.stream().anyMatch(TransitionTable::endsRequest),
                seen.stream().anyMatch(ObservableEvent.Entered.class::isInstance),
                null);
    }

    private static boolean endsRequest(ObservableEvent seen) {
        return seen instanceof ObservableEvent.Entered || seen instanceof ObservableEvent.Crashed;
    }

    private Transition.OutgoingMessages outgoing(ActionOutcome actionOutcome) {
        var items = new ArrayList<Integer>();
        for (int i = 0; i < actionOutcome.outputs().size(); i++) {
            if (actionOutcome.outputs().get(i) instanceof ActionOutcome.Output.MessageSent(var to, var message)) {
                var past = tracksCausality ? actionOutcome.statesDuring().get(i).causalPast() : NodeSet.NONE;
                var from = nodeSemantics.nodeId(actionOutcome.nodeState().node());
                items.add(inboxTable.message(new PendingMessage(from, message, past)));
                items.add(nodeSemantics.indexOf(to));
            }
        }
        return items.isEmpty()
                ? Transition.OutgoingMessages.NONE
                : new Transition.OutgoingMessages(
                        items.stream().mapToInt(Integer::intValue).toArray());
    }
}
