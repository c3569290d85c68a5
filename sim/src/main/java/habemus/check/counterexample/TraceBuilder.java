package habemus.check.counterexample;

import static java.util.Objects.requireNonNull;

import habemus.check.model.Action;
import habemus.check.model.ActionOutcome;
import habemus.check.model.NodeSemantics;
import habemus.check.model.NodeState;
import habemus.check.search.StateSpace;
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

/** Turns the transitions of a run into the events of a trace. */
final class TraceBuilder {

    private final NodeSemantics<?, ?> nodeSemantics;
    private final LocalStateTable localStates;
    private final GlobalStateTable globalStates;
    private final InFlightLedger ledger;
    private final List<TraceEvent> trace = new ArrayList<>();
    private final List<InFlightMessage> sent = new ArrayList<>(); // by this move, and not in the trace yet
    private final List<Fault.WrongSuspicion> wrongSuspicions = new ArrayList<>();
    private long at;
    private int global;

    TraceBuilder(StateSpace stateSpace) {
        nodeSemantics = stateSpace.nodeSemantics();
        localStates = stateSpace.localStates();
        globalStates = stateSpace.globalStates();
        ledger = new InFlightLedger(nodeSemantics, localStates);
    }

    /** @param quiescent whether the run ends after the last transition, so that its end is checked */
    List<TraceEvent> build(List<Transition> starts, List<NodeTransition> nodeTransitions, boolean quiescent) {
        addStarts(starts);
        nodeTransitions.forEach(nodeTransition -> addMove(nodeTransition.node(), nodeTransition.transition()));
        if (quiescent) {
            globalStates
                    .properties(globalStates.violatedIfQuiescent(global))
                    .forEach(property -> trace.add(new TraceEvent.Violated(at, property)));
        }
        return trace;
    }

    private void addStarts(List<Transition> starts) {
        for (int node = 0; node < starts.size(); node++) {
            var start = starts.get(node);
            sent.addAll(ledger.recordStart(node, start));
            addOutputs(
                    node, nodeSemantics.startOutcomes(node).get(start.branch().outcome()), 0, 0);
            addViolations(start);
        }
    }

    private void addMove(int node, Transition transition) {
        at++;
        var id = nodeSemantics.nodeId(node);
        var nodeState = localStates.nodeState(transition.before());
        var changes = ledger.execute(node, transition);
        sent.addAll(changes.sent());
        long messageNumber = addMessageOutcome(transition.kind(), changes.consumed());
        addFaultOf(id, transition.action());
        if (transition.failure() != null) {
            addFailedStep(id, transition.action().event(), messageNumber, nodeState);
            return;
        }
        var actionOutcome = nodeSemantics
                .outcomes(nodeState, transition.action())
                .get(transition.branch().outcome());
        int crashAfter = transition.branch().crashAfter();
        var completed = crashAfter == 0 ? actionOutcome : nodeSemantics.crashAfter(actionOutcome, crashAfter);
        addOutputs(node, completed, messageNumber, crashAfter);
        addViolations(transition);
    }

    /** The step that failed, with the state before it. */
    private void addFailedStep(NodeId id, @Nullable Event<?> event, long messageNumber, NodeState nodeState) {
        if (event != null) {
            trace.add(new TraceEvent.Step(at, id, event, messageNumber, nodeState.state(), List.of(), List.of()));
        }
    }

    /** The number of the message that is delivered or dropped; zero if there is none. */
    private long addMessageOutcome(Action.Kind kind, InFlightLedger.@Nullable TrackedMessage consumed) {
        if (consumed == null) {
            return 0;
        }
        switch (kind) {
            case DUPLICATE ->
                trace.add(new TraceEvent.MessageOutcome(at, consumed.inFlightMessage(), TraceEvent.Fate.DUPLICATED));
            case LOSE -> trace.add(new TraceEvent.MessageOutcome(at, consumed.inFlightMessage(), TraceEvent.Fate.LOST));
            case DROP_AT_DOWN_NODE ->
                trace.add(new TraceEvent.MessageOutcome(at, consumed.inFlightMessage(), TraceEvent.Fate.RECEIVER_DOWN));
            case DROP_BY_PARTITION ->
                trace.add(new TraceEvent.MessageOutcome(at, consumed.inFlightMessage(), TraceEvent.Fate.PARTITIONED));
            default -> {}
        }
        return consumed.inFlightMessage().number();
    }

    private void addFaultOf(NodeId id, Action action) {
        switch (action.kind()) {
            case CRASH -> addFault(new Fault.Crash(id));
            case RESTART -> addFault(new Fault.Restart(id, false));
            case AMNESIA -> addFault(new Fault.Restart(id, true));
            case JOIN -> addFault(new Fault.Join(id));
            case LEAVE -> addFault(new Fault.Leave(id));
            case LOSE_TAIL -> addFault(new Fault.LoseTail(id, 1));
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

    /** @param crashAfter the number of outputs before the node crashes; zero if it does not */
    private void addOutputs(int node, ActionOutcome actionOutcome, long messageNumber, int crashAfter) {
        var id = nodeSemantics.nodeId(node);
        long number = messageNumber;
        for (int i = 0; i < actionOutcome.outputs().size(); i++) {
            if (crashAfter > 0 && i == crashAfter) {
                addFault(new Fault.Crash(id));
            }
            switch (actionOutcome.outputs().get(i)) {
                case ActionOutcome.Output.StepTaken stepTaken -> {
                    trace.add(eventOf(id, stepTaken, number, sent(actionOutcome, i + 1)));
                    number = 0;
                }
                case ActionOutcome.Output.EventObserved(var observableEvent) ->
                    trace.add(new TraceEvent.Observed(at, observableEvent));
                case ActionOutcome.Output.MessageSent sentBefore -> {}
            }
        }
    }

    private TraceEvent eventOf(
            NodeId id, ActionOutcome.Output.StepTaken stepTaken, long messageNumber, List<InFlightMessage> sent) {
        if (stepTaken.start() != null) {
            return new TraceEvent.Started(at, id, stepTaken.start(), stepTaken.state(), stepTaken.effects(), sent);
        }
        return new TraceEvent.Step(
                at, id, requireNonNull(stepTaken.event()), messageNumber, stepTaken.state(), stepTaken.effects(), sent);
    }

    /** The messages that the step at this index sends. */
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
        int before = globalStates.violated(global);
        global = globalStates.after(global, transition.globalEffect());
        globalStates
                .properties(globalStates.violated(global) & ~before)
                .forEach(property -> trace.add(new TraceEvent.Violated(at, property)));
    }
}
