package habemus.check.counterexample;

import static java.util.Objects.requireNonNull;

import habemus.check.model.Action;
import habemus.check.model.ActionOutcome;
import habemus.check.model.NodeSemantics;
import habemus.check.model.NodeState;
import habemus.check.store.GlobalStateTable;
import habemus.check.store.LocalStateTable;
import habemus.check.store.NodeTransition;
import habemus.check.store.Transition;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.world.Fault;
import habemus.world.InFlightMessage;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a run that can be read of the moves along its way. */
final class TraceBuilder {

    private final NodeSemantics<?, ?> nodeSemantics;
    private final LocalStateTable localStateTable;
    private final GlobalStateTable globalStateTable;
    private final InFlightLedger inFlightLedger;
    private final List<TraceEvent> trace = new ArrayList<>();
    private final List<InFlightMessage> sent = new ArrayList<>(); // by this move, and not yet told
    private final List<Fault.WrongSuspicion> wrongSuspicions = new ArrayList<>();
    private long at;
    private int global;

    TraceBuilder(
            NodeSemantics<?, ?> nodeSemantics, LocalStateTable localStateTable, GlobalStateTable globalStateTable) {
        this.nodeSemantics = nodeSemantics;
        this.localStateTable = localStateTable;
        this.globalStateTable = globalStateTable;
        inFlightLedger = new InFlightLedger(nodeSemantics, localStateTable);
    }

    /** @param atRest whether nothing must happen after the last of the moves, so that the end is judged */
    List<TraceEvent> build(List<Transition> starts, List<NodeTransition> nodeTransitions, boolean atRest) {
        addStarts(starts);
        nodeTransitions.forEach(nodeTransition -> addMove(nodeTransition.node(), nodeTransition.transition()));
        if (atRest) {
            globalStateTable
                    .properties(globalStateTable.violatedIfQuiescent(global))
                    .forEach(property -> trace.add(new TraceEvent.Violated(at, property)));
        }
        return trace;
    }

    private void addStarts(List<Transition> starts) {
        for (int node = 0; node < starts.size(); node++) {
            var start = starts.get(node);
            sent.addAll(inFlightLedger.recordStart(node, start));
            addOutputs(
                    node, nodeSemantics.startOutcomes(node).get(start.branch().outcome()), 0, 0);
            addViolations(start);
        }
    }

    private void addMove(int node, Transition transition) {
        at++;
        var id = nodeSemantics.nodeId(node);
        var nodeState = localStateTable.nodeState(transition.before());
        var messageChanges = inFlightLedger.execute(node, transition);
        sent.addAll(messageChanges.sent());
        long mail = addMessageOutcome(transition.kind(), messageChanges.consumed());
        addFaultOf(id, transition.action());
        if (transition.failure() != null) {
            addFailedStep(id, transition.action().event(), mail, nodeState);
            return;
        }
        var actionOutcome = nodeSemantics
                .outcomes(nodeState, transition.action())
                .get(transition.branch().outcome());
        int cut = transition.branch().crashAfter();
        addOutputs(node, cut == 0 ? actionOutcome : nodeSemantics.crashAfter(actionOutcome, cut), mail, cut);
        addViolations(transition);
    }

    /** The step that could not be made, with the state in which it was tried. */
    private void addFailedStep(NodeId id, @Nullable Event<?> event, long mail, NodeState nodeState) {
        if (event != null) {
            trace.add(new TraceEvent.Step(at, id, event, mail, nodeState.state(), List.of(), List.of()));
        }
    }

    /** The number of the letter that arrives, or does not; zero if there is none. */
    private long addMessageOutcome(Action.Kind kind, InFlightLedger.@Nullable TrackedMessage taken) {
        if (taken == null) {
            return 0;
        }
        switch (kind) {
            case DUPLICATE ->
                trace.add(new TraceEvent.MessageOutcome(at, taken.inFlightMessage(), TraceEvent.Fate.DUPLICATED));
            case LOSE -> trace.add(new TraceEvent.MessageOutcome(at, taken.inFlightMessage(), TraceEvent.Fate.LOST));
            case DROP_AT_DOWN_NODE ->
                trace.add(new TraceEvent.MessageOutcome(at, taken.inFlightMessage(), TraceEvent.Fate.RECEIVER_DOWN));
            case DROP_BY_PARTITION ->
                trace.add(new TraceEvent.MessageOutcome(at, taken.inFlightMessage(), TraceEvent.Fate.PARTITIONED));
            default -> {}
        }
        return taken.inFlightMessage().number();
    }

    private void addFaultOf(NodeId id, Action action) {
        switch (action.kind()) {
            case CRASH -> addFault(new Fault.Crash(id));
            case RESTART -> addFault(new Fault.Restart(id, false));
            case AMNESIA -> addFault(new Fault.Restart(id, true));
            case PAUSE -> addFault(new Fault.Pause(id));
            case RESUME -> addFault(new Fault.Resume(id));
            case PARTITION -> addFault(requireNonNull(action.cut()));
            case HEAL -> addFault(new Fault.HealCut(requireNonNull(action.cut())));
            case WRONG_SUSPICION, RESTORE -> addWrongSuspicion(id, action);
            default -> {}
        }
    }

    private void addWrongSuspicion(NodeId id, Action action) {
        var peer = action.peer();
        if (peer != null && action.kind() == Action.Kind.WRONG_SUSPICION) {
            var wrongSuspicion = new Fault.WrongSuspicion(id, peer);
            wrongSuspicions.add(wrongSuspicion);
            addFault(wrongSuspicion);
        } else if (peer != null && wrongSuspicions.remove(new Fault.WrongSuspicion(id, peer))) {
            addFault(new Fault.Correct(id, peer));
        }
    }

    private void addFault(Fault fault) {
        trace.add(new TraceEvent.FaultInjected(at, fault));
    }

    /** @param cut after how many outs the node crashed; zero if it did not */
    private void addOutputs(int node, ActionOutcome actionOutcome, long mail, int cut) {
        var id = nodeSemantics.nodeId(node);
        long number = mail;
        for (int i = 0; i < actionOutcome.outputs().size(); i++) {
            if (cut > 0 && i == cut) {
                addFault(new Fault.Crash(id));
            }
            switch (actionOutcome.outputs().get(i)) {
                case ActionOutcome.Output.StepTaken stepTaken -> {
                    trace.add(eventOf(id, stepTaken, number, sent(actionOutcome, i + 1)));
                    number = 0;
                }
                case ActionOutcome.Output.EventObserved(var observableEvent) ->
                    trace.add(new TraceEvent.Observed(at, observableEvent));
                case ActionOutcome.Output.MessageSent any -> {}
            }
        }
    }

    private TraceEvent eventOf(
            NodeId id, ActionOutcome.Output.StepTaken stepTaken, long mail, List<InFlightMessage> sent) {
        if (stepTaken.start() != null) {
            return new TraceEvent.Started(at, id, stepTaken.start(), stepTaken.state(), stepTaken.effects(), sent);
        }
        return new TraceEvent.Step(
                at, id, requireNonNull(stepTaken.event()), mail, stepTaken.state(), stepTaken.effects(), sent);
    }

    /** What left the node in the step that begins here. */
    private List<InFlightMessage> sent(ActionOutcome actionOutcome, int begin) {
        int count = 0;
        for (var output :
                actionOutcome.outputs().subList(begin, actionOutcome.outputs().size())) {
            if (output instanceof ActionOutcome.Output.StepTaken) {
                break;
            }
            count += output instanceof ActionOutcome.Output.MessageSent ? 1 : 0;
        }
        var first = List.copyOf(sent.subList(0, count));
        sent.subList(0, count).clear();
        return first;
    }

    private void addViolations(Transition transition) {
        int before = globalStateTable.violated(global);
        global = globalStateTable.after(global, transition.globalEffect());
        globalStateTable
                .properties(globalStateTable.violated(global) & ~before)
                .forEach(property -> trace.add(new TraceEvent.Violated(at, property)));
    }
}
