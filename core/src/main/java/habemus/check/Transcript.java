package habemus.check;

import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.Mail;
import habemus.world.TraceLine;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads a simulated run as moves of the checker's world, where nothing has a time. Slow links are only delays there,
 * and pauses too where alarms ring at any time; a message that a partition keeps back is lost. What applications tell
 * each other is left out.
 */
final class Transcript {

    private final List<Act> acts = new ArrayList<>();
    private final List<Mail> underWay = new ArrayList<>(); // in the order of sending
    private final Set<Long> lost = new HashSet<>();
    private final Set<Long> twice = new HashSet<>();
    private NodeSet down = NodeSet.NONE;

    private final boolean inOrder;

    private Transcript(boolean inOrder) {
        this.inOrder = inOrder;
    }

    /** @param inOrder whether messages between two nodes keep their order */
    static Schedule of(List<TraceLine> run, boolean inOrder) {
        var transcript = new Transcript(inOrder);
        run.forEach(transcript::read);
        return new Schedule(transcript.acts);
    }

    private void read(TraceLine line) {
        switch (line) {
            case TraceLine.Stepped stepped -> {
                step(stepped);
                underWay.addAll(stepped.sent());
            }
            case TraceLine.Started started -> underWay.addAll(started.sent());
            case TraceLine.Struck(var at, var fault) -> strike(fault);
            case TraceLine.Fared(var at, var mail, var fate) -> fare(mail, fate);
            case TraceLine.Told told -> {}
            case TraceLine.Heard heard -> {}
            case TraceLine.Wrote wrote -> {}
            case TraceLine.Seen seen -> {}
            case TraceLine.Violated violated -> {}
        }
    }

    private void step(TraceLine.Stepped stepped) {
        var node = stepped.node();
        switch (stepped.event()) {
            case Event.Acquire<?>() -> add(node, Act.Verb.ASK);
            case Event.Campaign<?>() -> add(node, Act.Verb.ASK);
            case Event.Release<?>() -> add(node, Act.Verb.LEAVE);
            case Event.Elapsed<?>(var alarm) ->
                acts.add(Act.of(node, Act.Verb.RING).ringing(alarm.name(), 0));
            case Event.Suspect<?>(var peer) ->
                acts.add(Act.of(node, down.contains(peer) ? Act.Verb.SUSPECT : Act.Verb.MISTAKE)
                        .about(peer, 0));
            case Event.Restore<?>(var peer) ->
                acts.add(Act.of(node, Act.Verb.RESTORE).about(peer, 0));
            case Event.Received<?> received -> arrive(stepped.mail());
            case Event.Rolled<?>(var side) -> roll(node, side);
        }
    }

    private void add(NodeId node, Act.Verb verb) {
        acts.add(Act.of(node, verb));
    }

    /** Dice fall right after the move that rolled them; those of a start before all moves. */
    private void roll(NodeId node, int side) {
        if (acts.isEmpty() || !acts.getLast().node().equals(node)) {
            add(node, Act.Verb.START);
        }
        var act = acts.removeLast();
        acts.add(act.rolling(Stream.concat(act.dice().stream(), Stream.of(side)).toList()));
    }

    /** @param number zero of what a node said to itself, which is no move */
    private void arrive(long number) {
        underWay.stream().filter(each -> each.number() == number).findFirst().ifPresent(mail -> {
            boolean again = twice.remove(number);
            tell(mail, again ? Act.Verb.TWICE : Act.Verb.FROM);
            if (!again) {
                underWay.remove(mail);
                lose(mail);
            }
        });
    }

    private void tell(Mail mail, Act.Verb verb) {
        long earlier = underWay.subList(0, underWay.indexOf(mail)).stream()
                .filter(each -> isOnSameLink(each, mail))
                .count();
        acts.add(Act.of(mail.to(), verb).about(mail.from(), (int) earlier + 1));
    }

    private static boolean isOnSameLink(Mail one, Mail other) {
        return one.from().equals(other.from()) && one.to().equals(other.to());
    }

    /** Whatever is lost on a link; where links keep their order, not before it would be the next to arrive. */
    private void lose(Mail link) {
        for (Mail mail : List.copyOf(underWay)) {
            if (isOnSameLink(mail, link)) {
                if (lost.remove(mail.number())) {
                    tell(mail, down.contains(mail.to()) ? Act.Verb.GONE : Act.Verb.LOST);
                    underWay.remove(mail);
                } else if (inOrder) {
                    break;
                }
            }
        }
    }

    private void fare(Mail mail, TraceLine.Fate fate) {
        switch (fate) {
            case DUPLICATED -> twice.add(mail.number());
            case LOST, CUT_OFF, RECEIVER_DOWN -> {
                if (!twice.remove(mail.number())) {
                    lost.add(mail.number());
                    lose(mail);
                }
            }
        }
    }

    private void strike(Fault fault) {
        switch (fault) {
            case Fault.Crash(var node)
            when !down.contains(node) -> {
                down = down.with(node);
                add(node, Act.Verb.CRASH);
            }
            case Fault.Restart(var node, var amnesia)
            when down.contains(node) -> {
                down = down.without(node);
                add(node, amnesia ? Act.Verb.AMNESIA : Act.Verb.RESTART);
            }
            case Fault.Pause(var node) -> add(node, Act.Verb.PAUSE);
            case Fault.Resume(var node) -> add(node, Act.Verb.RESUME);
            default -> {}
        }
    }
}
