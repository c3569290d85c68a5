package habemus.check.counterexample;

import habemus.check.model.Action;
import habemus.check.model.ActionOutcome;
import habemus.check.model.Move;
import habemus.check.model.NodeSemantics;
import habemus.check.model.NodeState;
import habemus.check.model.PendingMessage;
import habemus.check.model.Schedule;
import habemus.check.store.LocalStateTable;
import habemus.check.store.NodeTransition;
import habemus.check.store.Transition;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.Randomized;
import habemus.world.Fault;
import habemus.world.InFlightMessage;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Keeps, as a run goes on, what is under way; so it can tell what each move is called. */
public final class InFlightLedger {

    /** @param sentBy the place of the move that sent it in the run; negative if it was a start */
    record TrackedMessage(InFlightMessage inFlightMessage, PendingMessage pendingMessage, int sentBy) {}

    /**
     * What a move did to the post.
     *
     * @param consumed the letter it was about
     */
    record MessageChanges(@Nullable TrackedMessage consumed, List<InFlightMessage> sent) {}

    private final NodeSemantics<?, ?> nodeSemantics;
    private final LocalStateTable localStateTable;
    private final List<TrackedMessage> inFlight = new ArrayList<>(); // in the order of sending
    private final NodeState[] nodeStates; // with what each node knows of others' requests out of date
    private final BitSet paused = new BitSet();
    private long messageCount;
    private int moveCount;

    public InFlightLedger(NodeSemantics<?, ?> nodeSemantics, LocalStateTable localStateTable) {
        this.nodeSemantics = nodeSemantics;
        this.localStateTable = localStateTable;
        nodeStates = new NodeState[nodeSemantics.scope().topology().size()];
    }

    List<InFlightMessage> recordStart(int node, Transition transition) {
        nodeStates[node] = localStateTable.nodeState(transition.after());
        return recordSends(node, transition, -1);
    }

    /** What it is called, if it is the next one. */
    Move moveOf(int node, Transition transition) {
        var move = Move.of(nodeSemantics.nodeId(node), Move.Verb.of(transition.kind()));
        var pendingMessage = transition.action().pendingMessage();
        var peer = transition.action().peer();
        if (pendingMessage != null) {
            move = move.withPeer(pendingMessage.from(), positionOf(find(nodeSemantics.nodeId(node), pendingMessage)));
        } else if (peer != null) {
            move = move.withPeer(peer, 0);
        } else if (transition.action().cut() != null && transition.kind() == Action.Kind.PARTITION) {
            move = partitionMove(node, transition.action().cut());
        } else if (transition.action().event() instanceof Event.Timeout<?>(var alarm)) {
            move = move.withLabel(alarm.name(), ticks(node, transition));
        }
        return move.withDraws(draws(transition))
                .withCrashAfter(transition.branch().crashAfter());
    }

    private Move partitionMove(int node, Fault.Cut cut) {
        var side = new StringJoiner("_");
        cut.from().forEach(each -> side.add(String.valueOf(each.number())));
        return Move.of(nodeSemantics.nodeId(node), cut.bothWays() ? Move.Verb.PARTITION : Move.Verb.ONE_WAY_PARTITION)
                .withLabel(side.toString(), 0);
    }

    /** What a start is called; the others have the same name always. */
    Move startMove(int node, Transition transition) {
        var fallen = nodeSemantics.protocol() instanceof Randomized
                ? draws(nodeSemantics
                        .startOutcomes(node)
                        .get(transition.branch().outcome()))
                : List.<Integer>of();
        return Move.of(nodeSemantics.nodeId(node), Move.Verb.START).withDraws(fallen);
    }

    private List<Integer> draws(Transition transition) {
        return nodeSemantics.protocol() instanceof Randomized && transition.failure() == null
                ? draws(nodeSemantics
                        .outcomes(localStateTable.nodeState(transition.before()), transition.action())
                        .get(transition.branch().outcome()))
                : List.of();
    }

    private static List<Integer> draws(ActionOutcome actionOutcome) {
        var fallen = new ArrayList<Integer>();
        for (var output : actionOutcome.outputs()) {
            if (output instanceof ActionOutcome.Output.StepTaken stepTaken
                    && stepTaken.event() instanceof Event.Drawn<?>(var side)) {
                fallen.add(side);
            }
        }
        return List.copyOf(fallen);
    }

    private int ticks(int node, Transition transition) {
        if (!nodeSemantics.scope().isSynchronous()) {
            return 0;
        }
        var due = localStateTable.nodeState(transition.before()).timerOf(transition.action());
        return nodeStates[node].timerOf(transition.action()).maxTicks() - due.maxTicks();
    }

    /** The letter at this place among those under way between two; null if there are not so many. */
    @Nullable
    TrackedMessage messageAt(NodeId from, NodeId to, int place) {
        return inFlight.stream()
                .filter(each -> each.inFlightMessage.from().equals(from)
                        && each.inFlightMessage.to().equals(to))
                .skip(place - 1L)
                .findFirst()
                .orElse(null);
    }

    /** The first place of a letter that is the same as this one. */
    int positionOf(TrackedMessage trackedMessage) {
        int place = 1;
        for (var each : inFlight) {
            if (each.inFlightMessage.to().equals(trackedMessage.inFlightMessage.to())
                    && each.inFlightMessage.from().equals(trackedMessage.inFlightMessage.from())) {
                if (each.pendingMessage.equals(trackedMessage.pendingMessage)) {
                    break;
                }
                place++;
            }
        }
        return place;
    }

    private TrackedMessage find(NodeId to, PendingMessage pendingMessage) {
        return inFlight.stream()
                .filter(each -> each.inFlightMessage.to().equals(to) && each.pendingMessage.equals(pendingMessage))
                .findFirst()
                .orElseThrow();
    }

    /** The move is made. */
    MessageChanges execute(int node, Transition transition) {
        var pendingMessage = transition.action().pendingMessage();
        var taken = pendingMessage == null ? null : find(nodeSemantics.nodeId(node), pendingMessage);
        if (taken != null && transition.kind() != Action.Kind.DUPLICATE) {
            inFlight.remove(taken);
        }
        if (transition.failure() != null) {
            return new MessageChanges(taken, List.of());
        }
        if (transition.kind() == Action.Kind.TIMEOUT) {
            passTicks(ticks(node, transition));
        }
        if (transition.kind() == Action.Kind.PAUSE
                || transition.kind() == Action.Kind.RESUME
                || !localStateTable.nodeState(transition.after()).isUp()) {
            paused.set(node, transition.kind() == Action.Kind.PAUSE);
        }
        nodeStates[node] = localStateTable.nodeState(transition.after());
        var sent = recordSends(node, transition, moveCount++);
        if (transition.clearsRequest()) {
            inFlight.replaceAll(each -> new TrackedMessage(
                    each.inFlightMessage, each.pendingMessage.withoutRequest(nodeSemantics.nodeId(node)), each.sentBy));
        }
        return new MessageChanges(taken, sent);
    }

    private void passTicks(int ticks) {
        for (int node = 0; node < nodeStates.length && ticks > 0; node++) {
            var to = nodeSemantics.nodeId(node);
            if (paused.get(node) && nodeStates[node].isBeforeFirstTimeout()) {
                inFlight.replaceAll(each -> each.inFlightMessage.to().equals(to)
                        ? new TrackedMessage(each.inFlightMessage, each.pendingMessage.asEarly(), each.sentBy)
                        : each);
            }
            nodeStates[node] = nodeStates[node].afterTicks(ticks);
        }
    }

    private List<InFlightMessage> recordSends(int node, Transition transition, int by) {
        var sent = new ArrayList<InFlightMessage>();
        for (int i = 0; i < transition.outgoing().size(); i++) {
            var pendingMessage = localStateTable.message(transition.outgoing().message(i));
            var to = nodeSemantics.nodeId(transition.outgoing().receiver(i));
            sent.add(new InFlightMessage(++messageCount, nodeSemantics.nodeId(node), to, pendingMessage.message()));
            inFlight.add(new TrackedMessage(sent.getLast(), pendingMessage, by));
        }
        return List.copyOf(sent);
    }

    /** What all of it is called, from the beginning. */
    public Schedule scheduleOf(List<Transition> starts, List<NodeTransition> run) {
        var acts = new ArrayList<Move>();
        for (int node = 0; node < starts.size(); node++) {
            recordStart(node, starts.get(node));
            var start = startMove(node, starts.get(node));
            if (!start.draws().isEmpty()) {
                acts.add(start);
            }
        }
        for (NodeTransition nodeTransition : run) {
            acts.add(moveOf(nodeTransition.node(), nodeTransition.transition()));
            execute(nodeTransition.node(), nodeTransition.transition());
        }
        return new Schedule(acts);
    }
}
