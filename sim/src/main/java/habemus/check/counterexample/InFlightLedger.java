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
import habemus.world.MembershipHistory;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tracks the messages in flight during a run, and so gives each transition the name of its move. */
final class InFlightLedger {

    /** @param sentBy the index of the move that sent it; negative if it was a start */
    record TrackedMessage(InFlightMessage inFlightMessage, PendingMessage pendingMessage, int sentBy) {}

    /**
     * What a move changed in the messages in flight.
     *
     * @param consumed the message that was delivered, duplicated or dropped
     */
    record MessageChanges(@Nullable TrackedMessage consumed, List<InFlightMessage> sent) {}

    private final NodeSemantics<?, ?> nodeSemantics;
    private final LocalStateTable localStates;
    private final List<TrackedMessage> inFlight = new ArrayList<>(); // in the order of sending
    private final NodeState[] nodeStates; // their causal pasts are not kept up to date
    private final BitSet paused = new BitSet();
    private long messageCount;
    private int moveCount;

    InFlightLedger(NodeSemantics<?, ?> nodeSemantics, LocalStateTable localStates) {
        this.nodeSemantics = nodeSemantics;
        this.localStates = localStates;
        nodeStates = new NodeState[nodeSemantics.scope().topology().size()];
    }

    List<InFlightMessage> recordStart(int node, Transition transition) {
        nodeStates[node] = localStates.nodeState(transition.after());
        return recordSends(node, transition, -1);
    }

    /** The move of a transition, if it is the next one. */
    Move moveOf(int node, Transition transition) {
        var move = Move.of(nodeSemantics.nodeId(node), Move.Verb.of(transition.kind()));
        var pendingMessage = transition.action().pendingMessage();
        var peer = transition.action().peer();
        if (pendingMessage != null) {
            move = move.withPeer(pendingMessage.from(), positionOf(find(nodeSemantics.nodeId(node), pendingMessage)));
        } else if (peer != null) {
            move = move.withPeer(peer, 0);
        } else if (transition.action().viewChange() != null) {
            move = viewChangeMove(node, transition.action().viewChange());
        } else if (transition.action().callTarget() != null) {
            move = move.withPeer(transition.action().callTarget(), 0);
        } else if (transition.action().cut() != null && transition.kind() == Action.Kind.PARTITION) {
            move = partitionMove(node, transition.action().cut());
        } else if (transition.action().event() instanceof Event.Timeout<?>(var timer)) {
            move = move.withLabel(timer.name(), ticks(node, transition));
        }
        return move.withDraws(draws(transition))
                .withCrashAfter(transition.branch().crashAfter());
    }

    private Move partitionMove(int node, Fault.Cut cut) {
        var side = cut.from().toList().stream()
                .map(peer -> String.valueOf(peer.number()))
                .collect(Collectors.joining("_"));
        return Move.of(nodeSemantics.nodeId(node), cut.bothWays() ? Move.Verb.PARTITION : Move.Verb.ONE_WAY_PARTITION)
                .withLabel(side, 0);
    }

    private Move viewChangeMove(int node, MembershipHistory.ViewChange change) {
        return Move.of(nodeSemantics.nodeId(node), change.joins() ? Move.Verb.JOINED : Move.Verb.LEFT)
                .withPeer(change.node(), 0);
    }

    /** The move of a start, with its random draws. */
    Move startMove(int node, Transition transition) {
        var draws = nodeSemantics.protocol() instanceof Randomized
                ? draws(nodeSemantics
                        .startOutcomes(node)
                        .get(transition.branch().outcome()))
                : List.<Integer>of();
        return Move.of(nodeSemantics.nodeId(node), Move.Verb.START).withDraws(draws);
    }

    private List<Integer> draws(Transition transition) {
        return nodeSemantics.protocol() instanceof Randomized && transition.failure() == null
                ? draws(nodeSemantics
                        .outcomes(localStates.nodeState(transition.before()), transition.action())
                        .get(transition.branch().outcome()))
                : List.of();
    }

    private static List<Integer> draws(ActionOutcome actionOutcome) {
        var draws = new ArrayList<Integer>();
        for (var output : actionOutcome.outputs()) {
            if (output instanceof ActionOutcome.Output.StepTaken stepTaken
                    && stepTaken.event() instanceof Event.Drawn<?>(var draw)) {
                draws.add(draw);
            }
        }
        return List.copyOf(draws);
    }

    private int ticks(int node, Transition transition) {
        if (!nodeSemantics.scope().isSynchronous()) {
            return 0;
        }
        var timer = localStates.nodeState(transition.before()).timerOf(transition.action());
        return nodeStates[node].timerOf(transition.action()).maxTicks() - timer.maxTicks();
    }

    /** The message at a position, from 1 on, among those in flight on a link; null if there are fewer. */
    @Nullable
    TrackedMessage messageAt(NodeId from, NodeId to, int position) {
        return inFlight.stream()
                .filter(tracked -> tracked.inFlightMessage.from().equals(from)
                        && tracked.inFlightMessage.to().equals(to))
                .skip(position - 1L)
                .findFirst()
                .orElse(null);
    }

    /** The position of the first message on the link that equals this one. */
    int positionOf(TrackedMessage trackedMessage) {
        int position = 1;
        for (var tracked : inFlight) {
            if (tracked.inFlightMessage.to().equals(trackedMessage.inFlightMessage.to())
                    && tracked.inFlightMessage.from().equals(trackedMessage.inFlightMessage.from())) {
                if (tracked.pendingMessage.equals(trackedMessage.pendingMessage)) {
                    break;
                }
                position++;
            }
        }
        return position;
    }

    private TrackedMessage find(NodeId to, PendingMessage pendingMessage) {
        return inFlight.stream()
                .filter(tracked ->
                        tracked.inFlightMessage.to().equals(to) && tracked.pendingMessage.equals(pendingMessage))
                .findFirst()
                .orElseThrow();
    }

    /** Records that a transition happened. */
    MessageChanges execute(int node, Transition transition) {
        var pendingMessage = transition.action().pendingMessage();
        var consumed = pendingMessage == null ? null : find(nodeSemantics.nodeId(node), pendingMessage);
        if (consumed != null && transition.kind() != Action.Kind.DUPLICATE) {
            inFlight.remove(consumed);
        }
        if (transition.failure() != null) {
            return new MessageChanges(consumed, List.of());
        }
        if (transition.kind() == Action.Kind.TIMEOUT) {
            passTicks(ticks(node, transition));
        }
        if (transition.kind() == Action.Kind.PAUSE
                || transition.kind() == Action.Kind.RESUME
                || !localStates.nodeState(transition.after()).isUp()) {
            paused.set(node, transition.kind() == Action.Kind.PAUSE);
        }
        nodeStates[node] = localStates.nodeState(transition.after());
        var sent = recordSends(node, transition, moveCount++);
        if (transition.clearsRequest()) {
            inFlight.replaceAll(tracked -> new TrackedMessage(
                    tracked.inFlightMessage,
                    tracked.pendingMessage.withoutRequest(nodeSemantics.nodeId(node)),
                    tracked.sentBy));
        }
        return new MessageChanges(consumed, sent);
    }

    private void passTicks(int ticks) {
        for (int node = 0; node < nodeStates.length && ticks > 0; node++) {
            var to = nodeSemantics.nodeId(node);
            if (paused.get(node) && nodeStates[node].isBeforeFirstTimeout()) {
                inFlight.replaceAll(tracked -> tracked.inFlightMessage.to().equals(to)
                        ? new TrackedMessage(tracked.inFlightMessage, tracked.pendingMessage.asEarly(), tracked.sentBy)
                        : tracked);
            }
            nodeStates[node] = nodeStates[node].afterTicks(ticks);
        }
    }

    private List<InFlightMessage> recordSends(int node, Transition transition, int sentBy) {
        var sent = new ArrayList<InFlightMessage>();
        for (int i = 0; i < transition.outgoing().size(); i++) {
            var pendingMessage = localStates.message(transition.outgoing().message(i));
            var to = nodeSemantics.nodeId(transition.outgoing().receiver(i));
            sent.add(new InFlightMessage(++messageCount, nodeSemantics.nodeId(node), to, pendingMessage.message()));
            inFlight.add(new TrackedMessage(sent.getLast(), pendingMessage, sentBy));
        }
        return List.copyOf(sent);
    }

    /** The schedule of a whole run. */
    Schedule scheduleOf(List<Transition> starts, List<NodeTransition> nodeTransitions) {
        var moves = new ArrayList<Move>();
        for (int node = 0; node < starts.size(); node++) {
            recordStart(node, starts.get(node));
            var start = startMove(node, starts.get(node));
            if (!start.draws().isEmpty()) {
                moves.add(start);
            }
        }
        for (NodeTransition nodeTransition : nodeTransitions) {
            moves.add(moveOf(nodeTransition.node(), nodeTransition.transition()));
            execute(nodeTransition.node(), nodeTransition.transition());
        }
        return new Schedule(moves);
    }
}
