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

/**
 * The transitions of each node state, computed once and kept in ranges: one for the actions without a message, one for
 * each message. No other class makes the algorithm step.
 */
public final class TransitionTable {

    /** The approximate sizes of a node state and of a transition on the heap. */
    private static final long NODE_STATE_BYTES = 200;

    private static final long TRANSITION_BYTES = 160;

    private final NodeSemantics<?, ?> nodeSemantics;
    private final boolean tracksCausality;
    private final InboxTable inboxes;
    private final GlobalStateTable globalStates;
    private final Interner<NodeState> nodeStates = new Interner<>();
    private final LongIntMap ranges = new LongIntMap(); // by node state, and message id + 1
    private final IntRowStore rangeStarts = new IntRowStore(1); // by range: its first transition
    private volatile Transition[] transitions = new Transition[1 << 10];
    private int size;

    TransitionTable(
            NodeSemantics<?, ?> nodeSemantics,
            boolean tracksCausality,
            InboxTable inboxes,
            GlobalStateTable globalStates) {
        this.nodeSemantics = nodeSemantics;
        this.tracksCausality = tracksCausality;
        this.inboxes = inboxes;
        this.globalStates = globalStates;
    }

    public NodeState nodeState(int id) {
        return nodeStates.get(id);
    }

    public int idOf(NodeState nodeState) {
        return nodeStates.intern(nodeState);
    }

    long bytes() {
        return nodeStates.bytes()
                + NODE_STATE_BYTES * nodeStates.size()
                + ranges.bytes()
                + rangeStarts.bytes()
                + 4L * transitions.length
                + TRANSITION_BYTES * size;
    }

    /** Any thread may read a transition whose id it knows. */
    Transition get(int id) {
        return transitions[id];
    }

    /** The range of the actions that need no message. */
    public int withoutMessage(int nodeState) {
        int known = ranges.get(key(nodeState, 0));
        return known != LongIntMap.ABSENT
                ? known
                : ranges.put(
                        key(nodeState, 0), computeRange(nodeState, nodeSemantics.actions(nodeStates.get(nodeState))));
    }

    /** The range of the actions on a message that can be delivered: receive, lose, duplicate, drop. */
    public int onMessage(int nodeState, int message) {
        long key = key(nodeState, message + 1);
        int known = ranges.get(key);
        return known != LongIntMap.ABSENT
                ? known
                : ranges.put(
                        key,
                        computeRange(
                                nodeState, nodeSemantics.actions(nodeStates.get(nodeState), inboxes.message(message))));
    }

    int begin(int range) {
        return rangeStarts.get(range, 0);
    }

    /** The first transition after a range. */
    int end(int range) {
        return range + 1 < rangeStarts.size() ? rangeStarts.get(range + 1, 0) : size;
    }

    public List<Transition> transitions(int range) {
        return Arrays.asList(transitions).subList(begin(range), end(range));
    }

    private static long key(int nodeState, int messagePlusOne) {
        return (long) nodeState << 32 | messagePlusOne;
    }

    private int computeRange(int nodeState, List<Action> actions) {
        int range = rangeStarts.add(size);
        for (Action action : actions) {
            transitionsOf(nodeState, action).forEach(this::add);
        }
        return range;
    }

    private void add(Transition transition) {
        var more = size < transitions.length ? transitions : Arrays.copyOf(transitions, transitions.length / 2 * 3);
        more[size++] = transition;
        transitions = more;
    }

    /** The transitions of the first start of a node, one for each random branch. */
    List<Transition> starts(int node) {
        var actionOutcomes = nodeSemantics.startOutcomes(node);
        var starts = new ArrayList<Transition>();
        for (int i = 0; i < actionOutcomes.size(); i++) {
            starts.add(transition(
                    Action.of(Action.Kind.AMNESIA), new Transition.Branch(i, 0), -1, List.of(), actionOutcomes.get(i)));
        }
        return starts;
    }

    private List<Transition> transitionsOf(int nodeState, Action action) {
        var added = new ArrayList<Transition>();
        List<ActionOutcome> actionOutcomes;
        try {
            actionOutcomes = nodeSemantics.outcomes(nodeStates.get(nodeState), action);
        } catch (ProtocolBug | ImpureStepException impossible) {
            int effect = globalStates.effect(List.of(), charges(action, false));
            var branch = new Transition.Branch(0, 0);
            return List.of(new Transition(
                    action,
                    action.kind(),
                    branch,
                    nodeState,
                    nodeState,
                    peer(action),
                    sender(action),
                    Transition.OutgoingMessages.NONE,
                    effect,
                    false,
                    false,
                    impossible));
        }
        for (int i = 0; i < actionOutcomes.size(); i++) {
            var actionOutcome = actionOutcomes.get(i);
            added.add(
                    transition(action, new Transition.Branch(i, 0), nodeState, charges(action, false), actionOutcome));
            if (nodeSemantics.scope().faults().crashes().midStep()
                    && action.event() != null
                    && FaultBudget.CRASH.initial(nodeSemantics.scope()) > 0) {
                added.addAll(midStepCrashes(action, i, nodeState, actionOutcome));
            }
        }
        return added;
    }

    private List<Transition> midStepCrashes(Action action, int outcome, int nodeState, ActionOutcome whole) {
        var added = new ArrayList<Transition>();
        boolean stepped = false;
        for (int outputs = 1; outputs < whole.outputs().size(); outputs++) {
            var last = whole.outputs().get(outputs - 1);
            stepped |= last instanceof ActionOutcome.Output.StepTaken;
            if (stepped
                    && !(last instanceof ActionOutcome.Output.EventObserved)
                    && nodeSemantics.mayCrashAfter(whole, outputs)) {
                added.add(transition(
                        action,
                        new Transition.Branch(outcome, outputs),
                        nodeState,
                        charges(action, true),
                        nodeSemantics.crashAfter(whole, outputs)));
            }
        }
        return added;
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
        var events = actionOutcome.observableEvents();
        return new Transition(
                action,
                action.kind(),
                branch,
                before,
                idOf(actionOutcome.nodeState()),
                peer(action),
                sender(action),
                outgoing(actionOutcome),
                globalStates.effect(events, faultBudgets),
                tracksCausality && events.stream().anyMatch(TransitionTable::endsRequest),
                events.stream().anyMatch(ObservableEvent.Entered.class::isInstance),
                null);
    }

    private static boolean endsRequest(ObservableEvent event) {
        return event instanceof ObservableEvent.Entered
                || event instanceof ObservableEvent.Crashed
                || event instanceof ObservableEvent.Left;
    }

    private Transition.OutgoingMessages outgoing(ActionOutcome actionOutcome) {
        var items = new ArrayList<Integer>();
        for (int i = 0; i < actionOutcome.outputs().size(); i++) {
            if (actionOutcome.outputs().get(i) instanceof ActionOutcome.Output.MessageSent(var to, var message)) {
                var causalPast =
                        tracksCausality ? actionOutcome.statesDuring().get(i).causalPast() : NodeSet.NONE;
                var from = nodeSemantics.nodeId(actionOutcome.nodeState().node());
                items.add(inboxes.idOf(new PendingMessage(from, message, causalPast)));
                items.add(nodeSemantics.indexOf(to));
            }
        }
        return items.isEmpty()
                ? Transition.OutgoingMessages.NONE
                : new Transition.OutgoingMessages(
                        items.stream().mapToInt(Integer::intValue).toArray());
    }
}
