package habemus.check.counterexample;

import habemus.check.model.Move;
import habemus.check.model.Schedule;
import habemus.protocol.Event;
import habemus.protocol.LogCall;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.InFlightMessage;
import habemus.world.ObservableEvent;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Translates the trace of a simulated run into a schedule, which has moves but no times. A slow link is only a delay,
 * and so is a pause if timers fire at any time. A message that a partition drops becomes a lost one. Messages between
 * applications are left out.
 */
public final class TraceToSchedule {

    private final List<Move> moves = new ArrayList<>();
    private final List<InFlightMessage> inFlight = new ArrayList<>(); // in the order of sending
    private final Set<Long> lost = new HashSet<>();
    private final Set<Long> duplicated = new HashSet<>();
    private NodeSet down = NodeSet.NONE;

    private final boolean inOrder;

    private TraceToSchedule(boolean inOrder) {
        this.inOrder = inOrder;
    }

    /** @param inOrder whether links keep the order of messages */
    public static Schedule of(List<TraceEvent> trace, boolean inOrder) {
        var translation = new TraceToSchedule(inOrder);
        trace.forEach(translation::read);
        return new Schedule(translation.moves);
    }

    private void read(TraceEvent event) {
        switch (event) {
            case TraceEvent.Step step -> {
                addStep(step);
                inFlight.addAll(step.sent());
            }
            case TraceEvent.Started started -> {
                if (started.how() == TraceEvent.Start.AS_NEW_MEMBER) {
                    add(started.node(), Move.Verb.JOIN);
                }
                inFlight.addAll(started.sent());
            }
            case TraceEvent.FaultInjected(var at, var fault) -> onFault(fault);
            case TraceEvent.MessageOutcome(var at, var inFlightMessage, var fate) ->
                onMessageOutcome(inFlightMessage, fate);
            case TraceEvent.AppMessageSent appMessageSent -> {}
            case TraceEvent.AppMessageReceived appMessageReceived -> {}
            case TraceEvent.Wrote wrote -> {}
            case TraceEvent.Observed(var at, ObservableEvent.LogChanged(var node, var before, var after))
            when down.contains(node) -> {
                for (long index = after.log().lastIndex(); index < before.log().lastIndex(); index++) {
                    add(node, Move.Verb.LOSE_TAIL); // the disk loses one entry after the other
                }
            }
            case TraceEvent.Observed observed -> {}
            case TraceEvent.Violated violated -> {}
            case TraceEvent.NotGuaranteed notGuaranteed -> {}
        }
    }

    private void addStep(TraceEvent.Step step) {
        var node = step.node();
        switch (step.event()) {
            case Event.Acquire<?>() -> add(node, Move.Verb.REQUEST);
            case Event.Campaign<?>() -> add(node, Move.Verb.REQUEST);
            case Event.Release<?>() -> add(node, Move.Verb.RELEASE);
            case Event.Timeout<?>(var timer) ->
                moves.add(Move.of(node, Move.Verb.TIMEOUT).withLabel(timer.name(), 0));
            case Event.Suspect<?>(var peer) ->
                moves.add(Move.of(node, down.contains(peer) ? Move.Verb.SUSPECT : Move.Verb.WRONG_SUSPICION)
                        .withPeer(peer, 0));
            case Event.Restore<?>(var peer) ->
                moves.add(Move.of(node, Move.Verb.RESTORE).withPeer(peer, 0));
            case Event.Received<?> received -> addArrival(step.messageNumber());
            case Event.Drawn<?>(var draw) -> addDraw(node, draw);
            case Event.Call<?>(var call) -> addCall(node, call);
            case Event.Synced<?> synced -> add(node, Move.Verb.SYNC);
            case Event.Leave<?>() -> add(node, Move.Verb.LEAVE);
            case Event.Joined<?>(var peer, var view) ->
                moves.add(Move.of(node, Move.Verb.JOINED).withPeer(peer, 0));
            case Event.Left<?>(var peer, var view) ->
                moves.add(Move.of(node, Move.Verb.LEFT).withPeer(peer, 0));
            case Event.Forward<?> forward -> addArrival(step.messageNumber());
        }
    }

    /** Proposals that were made together become proposals one after the other. */
    private void addCall(NodeId node, LogCall call) {
        switch (call) {
            case LogCall.Propose(var proposals) -> proposals.forEach(each -> add(node, Move.Verb.PROPOSE));
            case LogCall.Read read -> add(node, Move.Verb.READ);
            case LogCall.Compact compact -> add(node, Move.Verb.COMPACT);
            case LogCall.TransferLeadership(var to) ->
                moves.add(Move.of(node, Move.Verb.TRANSFER).withPeer(to, 0));
            case LogCall.ChangeMembers(var id, var change) -> {
                var verb = switch (change) {
                    case LogCall.AddLearner added -> Move.Verb.ADD_LEARNER;
                    case LogCall.Promote promoted -> Move.Verb.PROMOTE;
                    case LogCall.Remove removed -> Move.Verb.REMOVE;
                };
                moves.add(Move.of(node, verb).withPeer(change.node(), 0));
            }
        }
    }

    private void add(NodeId node, Move.Verb verb) {
        moves.add(Move.of(node, verb));
    }

    /** Random draws directly follow their move; those of a start come before all moves. */
    private void addDraw(NodeId node, int draw) {
        if (moves.isEmpty() || !moves.getLast().node().equals(node)) {
            add(node, Move.Verb.START);
        }
        var move = moves.removeLast();
        moves.add(move.withDraws(
                Stream.concat(move.draws().stream(), Stream.of(draw)).toList()));
    }

    /** @param number zero for a message of a node to itself, which is not a move */
    private void addArrival(long number) {
        inFlight.stream()
                .filter(message -> message.number() == number)
                .findFirst()
                .ifPresent(inFlightMessage -> {
                    boolean isDuplicated = duplicated.remove(number);
                    addMessageMove(inFlightMessage, isDuplicated ? Move.Verb.DUPLICATE : Move.Verb.RECEIVE);
                    if (!isDuplicated) {
                        inFlight.remove(inFlightMessage);
                        addLosses(inFlightMessage);
                    }
                });
    }

    private void addMessageMove(InFlightMessage inFlightMessage, Move.Verb verb) {
        long earlier = inFlight.subList(0, inFlight.indexOf(inFlightMessage)).stream()
                .filter(other -> isOnSameLink(other, inFlightMessage))
                .count();
        moves.add(Move.of(inFlightMessage.to(), verb).withPeer(inFlightMessage.from(), (int) earlier + 1));
    }

    private static boolean isOnSameLink(InFlightMessage one, InFlightMessage other) {
        return one.from().equals(other.from()) && one.to().equals(other.to());
    }

    /** Adds the losses on a link; if links keep their order, each only when the message is the next to be delivered. */
    private void addLosses(InFlightMessage link) {
        for (InFlightMessage inFlightMessage : List.copyOf(inFlight)) {
            if (isOnSameLink(inFlightMessage, link)) {
                if (lost.remove(inFlightMessage.number())) {
                    addMessageMove(
                            inFlightMessage,
                            down.contains(inFlightMessage.to()) ? Move.Verb.DROP_AT_DOWN_NODE : Move.Verb.LOSE);
                    inFlight.remove(inFlightMessage);
                } else if (inOrder) {
                    break;
                }
            }
        }
    }

    private void onMessageOutcome(InFlightMessage inFlightMessage, TraceEvent.Fate fate) {
        switch (fate) {
            case DUPLICATED -> duplicated.add(inFlightMessage.number());
            case LOST, PARTITIONED, RECEIVER_DOWN -> {
                if (!duplicated.remove(inFlightMessage.number())) {
                    lost.add(inFlightMessage.number());
                    addLosses(inFlightMessage);
                }
            }
        }
    }

    private void onFault(Fault fault) {
        switch (fault) {
            case Fault.Crash(var node)
            when !down.contains(node) -> {
                down = down.with(node);
                add(node, Move.Verb.CRASH);
            }
            case Fault.Restart(var node, var amnesia)
            when down.contains(node) -> {
                down = down.without(node);
                add(node, amnesia ? Move.Verb.AMNESIA : Move.Verb.RESTART);
            }
            case Fault.Pause(var node) -> add(node, Move.Verb.PAUSE);
            case Fault.Resume(var node) -> add(node, Move.Verb.RESUME);
            default -> {}
        }
    }
}
