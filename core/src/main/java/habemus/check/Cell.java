package habemus.check;

import habemus.protocol.Event;
import habemus.protocol.NodeSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * All there is at one node but its mail.
 *
 * @param node its index in the topology
 * @param state the algorithm's; of a node that is down, its memory
 * @param life whether it is up
 * @param left how often its application will still ask
 * @param leader the number of the node it names; zero if it names nobody
 * @param past those that wait and whose asking happened before what happens here next; only kept where it is judged
 */
record Cell(
        int node,
        Object state,
        Life life,
        Use use,
        int left,
        List<Pending> alarms,
        NodeSet suspected,
        int leader,
        NodeSet past) {

    /** How a node is; whether it stands still is not for itself to know. */
    enum Life {
        DOWN,
        UP,
        /**
         * It has just resumed, and no time has passed since: what has piled up comes in any order,
         * but that letters which came before an alarm ran out come before it: {@link Letter#early}.
         */
        LATE
    }

    /** What the application is up to. */
    enum Use {
        OUT,
        WAITING,
        INSIDE,
        /** It has asked for an election in this life of the node. */
        CANDIDATE
    }

    /** An alarm that is set, to ring so many ticks from now. */
    record Pending(Enum<?> alarm, int atLeast, int atMost) {}

    private static final Comparator<Pending> ORDER = Comparator.comparing(
                    (Pending pending) -> pending.alarm.getDeclaringClass().getName())
            .thenComparingInt(pending -> pending.alarm.ordinal());

    Cell in(Object next) {
        return new Cell(node, next, life, use, left, alarms, suspected, leader, past);
    }

    Cell living(Life next) {
        return new Cell(node, state, next, use, left, alarms, suspected, leader, past);
    }

    boolean up() {
        return life != Life.DOWN;
    }

    Cell used(Use next) {
        return new Cell(node, state, life, next, left, alarms, suspected, leader, past);
    }

    Cell asked(Use next) {
        int rest = left == Scope.MANY ? left : left - 1;
        return new Cell(node, state, life, next, rest, alarms, suspected, leader, past);
    }

    Cell suspecting(NodeSet next) {
        return new Cell(node, state, life, use, left, alarms, next, leader, past);
    }

    Cell naming(int next) {
        return new Cell(node, state, life, use, left, alarms, suspected, next, past);
    }

    Cell after(NodeSet next) {
        return new Cell(node, state, life, use, left, alarms, suspected, leader, next);
    }

    /** Down, with nothing left but this. */
    Cell down(Object memory) {
        return new Cell(node, memory, Life.DOWN, Use.OUT, left, List.of(), NodeSet.NONE, 0, past);
    }

    Cell calm(Enum<?> alarm) {
        return alarmed(alarms.stream().filter(each -> each.alarm != alarm).toList());
    }

    Cell wake(Pending pending) {
        var more = new ArrayList<>(calm(pending.alarm).alarms);
        more.add(pending);
        more.sort(ORDER);
        return alarmed(List.copyOf(more));
    }

    /** The same so many ticks later; an alarm that is overdue, as its node stands still, is so for long enough. */
    Cell later(int ticks) {
        if (ticks == 0) {
            return this;
        }
        return living(life == Life.LATE ? Life.UP : life)
                .alarmed(alarms.stream()
                        .map(each -> new Pending(
                                each.alarm, Math.max(0, each.atLeast - ticks), Math.max(0, each.atMost - ticks)))
                        .toList());
    }

    /** Whether an alarm is set, and none of them may have run out yet. */
    boolean isBeforeAlarms() {
        return !alarms.isEmpty() && alarms.stream().allMatch(each -> each.atLeast > 0);
    }

    /** The alarm of which this choice is the ringing. */
    Pending due(Choice ringing) {
        return alarms.stream()
                .filter(each -> new Event.Elapsed<>(each.alarm).equals(ringing.event()))
                .findFirst()
                .orElseThrow();
    }

    boolean willAsk() {
        return up() && left > 0 && use != Use.WAITING && use != Use.INSIDE;
    }

    private Cell alarmed(List<Pending> next) {
        return new Cell(node, state, life, use, left, next, suspected, leader, past);
    }

    /** How many ticks a time is: at least one, so that no alarm rings in the moment in which it is set. */
    static int ticks(Duration time, Duration tick) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, time.dividedBy(tick)));
    }
}
