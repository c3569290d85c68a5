package habemus.check.counterexample;

import static java.util.Objects.requireNonNull;

import habemus.check.model.Move;
import habemus.check.model.Schedule;
import habemus.protocol.NodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * Plays a schedule in which one message arrives some moves later. A move that is not possible without the message waits
 * until it is. A move that never becomes possible is left out.
 */
public final class DelayedDelivery {

    private final ScheduledRun run;
    private final List<Move> waiting; // in the order of the schedule, without the delivery
    private final Move delivery;
    private final NodeId sender;
    private int position; // of the message among those in flight on its link

    /** @param index the delivery among the moves, without the starts */
    private DelayedDelivery(SchedulePlayer player, Schedule schedule, int index) {
        var moves = new ArrayList<>(SchedulePlayer.withoutStarts(schedule));
        delivery = moves.get(index);
        sender = requireNonNull(delivery.peer());
        position = delivery.position();
        run = player.begin(schedule);
        moves.subList(0, index).forEach(this::executeIfPossible);
        waiting = new ArrayList<>(moves.subList(index + 1, moves.size()));
    }

    /**
     * The schedule in which the message of one move arrives later.
     *
     * @param index the delivery among the moves, without the starts
     * @param by how many moves come before the delivery; it comes earlier if fewer are possible
     */
    public static Schedule of(SchedulePlayer player, Schedule schedule, int index, int by) {
        var delayed = new DelayedDelivery(player, schedule, index);
        int moved = 0;
        while (moved < by && delayed.executeFirstWaiting(true)) {
            moved++;
        }
        delayed.executeIfPossible(delayed.delivery.withPeer(delayed.sender, delayed.position));
        boolean goesOn = true;
        while (goesOn) {
            goesOn = delayed.executeFirstWaiting(false);
        }
        return delayed.run.schedule();
    }

    private boolean executeFirstWaiting(boolean inFlight) {
        for (int i = 0; i < waiting.size(); i++) {
            var move = waiting.get(i);
            if (executeIfPossible(inFlight ? behindTheMessage(move) : move)) {
                if (inFlight && isOnLink(move) && move.position() < position && move.verb() != Move.Verb.DUPLICATE) {
                    position--;
                }
                waiting.remove(i);
                return true;
            }
        }
        return false;
    }

    private boolean executeIfPossible(Move move) {
        var next = run.find(move);
        next.ifPresent(run::execute);
        return next.isPresent();
    }

    /** The same move, while the message is still in flight before it on its link. */
    private Move behindTheMessage(Move move) {
        return isOnLink(move) && move.position() >= position ? move.withPeer(sender, move.position() + 1) : move;
    }

    private boolean isOnLink(Move move) {
        return move.verb().isAboutMessage() && move.node().equals(delivery.node()) && sender.equals(move.peer());
    }
}
