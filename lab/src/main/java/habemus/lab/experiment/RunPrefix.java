package habemus.lab.experiment;

import habemus.lab.command.CommandException;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.InFlightMessage;
import habemus.world.ObservableEvent;
import habemus.world.TraceEvent;
import habemus.world.TraceEvent.Fate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The first events of a run, and what they lead to: which nodes are up, which messages are in flight. */
final class RunPrefix {

    private final List<TraceEvent> events;
    private final List<InFlightMessage> inFlight = new ArrayList<>(); // in the order of sending
    private final Set<Long> arrived = new HashSet<>(); // also if it was dropped, or another copy will follow
    private final Set<Long> duplicated = new HashSet<>(); // a copy follows
    private final List<Fault.Cut> cuts = new ArrayList<>();
    private final NodeSet joiners;
    private NodeSet down;
    private NodeSet paused = NodeSet.NONE;
    private NodeSet left = NodeSet.NONE;

    private RunPrefix(List<TraceEvent> events, NodeSet joiners) {
        this.events = List.copyOf(events);
        this.joiners = joiners;
        down = joiners;
        events.forEach(this::read);
    }

    /**
     * The events up to the cursor.
     *
     * @param cursor the index of the last one; -1 for none
     * @throws CommandException if the run has no such event
     */
    static RunPrefix of(Experiment experiment, int cursor) {
        var trace = new ArrayList<TraceEvent>();
        experiment.run(event -> {
            if (trace.size() <= cursor) {
                trace.add(event);
            }
        });
        if (cursor < -1 || cursor >= trace.size()) {
            throw CommandException.usage(
                    "cursor must be an event of the run, was " + cursor, "use a number below " + trace.size());
        }
        return new RunPrefix(trace, experiment.world().joiners());
    }

    private void read(TraceEvent event) {
        switch (event) {
            case TraceEvent.Started started -> inFlight.addAll(started.sent());
            case TraceEvent.Step step -> {
                if (step.messageNumber() > 0) {
                    arrive(step.messageNumber());
                }
                inFlight.addAll(step.sent());
            }
            case TraceEvent.MessageOutcome(var at, var message, var fate) -> {
                if (fate == Fate.DUPLICATED) {
                    duplicated.add(message.number());
                } else {
                    arrive(message.number());
                }
            }
            case TraceEvent.Observed(var at, var observed) -> observe(observed);
            default -> {}
        }
    }

    private void arrive(long number) {
        arrived.add(number);
        if (!duplicated.remove(number)) {
            inFlight.removeIf(message -> message.number() == number);
        }
    }

    private void observe(ObservableEvent event) {
        switch (event) {
            case ObservableEvent.Crashed(var node, var asking) -> {
                down = down.with(node);
                paused = paused.without(node);
            }
            case ObservableEvent.Restarted(var node) -> down = down.without(node);
            case ObservableEvent.Joined(var node) -> down = down.without(node);
            case ObservableEvent.Left(var node, var asking) -> left = left.with(node);
            case ObservableEvent.Paused(var node) -> paused = paused.with(node);
            case ObservableEvent.Resumed(var node) -> paused = paused.without(node);
            case ObservableEvent.Partitioned(var cut) -> cuts.add(cut);
            case ObservableEvent.Healed(var cut) -> cuts.remove(cut);
            default -> {}
        }
    }

    List<TraceEvent> events() {
        return events;
    }

    /** The time of the last event; zero if there is none. */
    long time() {
        return events.isEmpty() ? 0 : events.getLast().at();
    }

    /** Whether nothing has happened but starts of nodes. */
    boolean isStart() {
        return events.stream().allMatch(TraceEvent.Started.class::isInstance);
    }

    boolean isDown(NodeId node) {
        return down.contains(node);
    }

    boolean isPaused(NodeId node) {
        return paused.contains(node);
    }

    /** The partitions that drop messages now. */
    List<Fault.Cut> cuts() {
        return List.copyOf(cuts);
    }

    /** Whether a copy of the message was delivered or dropped. */
    boolean hasArrived(long number) {
        return arrived.contains(number);
    }

    /** The message with this number, if it was sent and is in flight. */
    Optional<InFlightMessage> inFlight(long number) {
        return inFlight.stream().filter(message -> message.number() == number).findFirst();
    }

    /** The position of a message among those in flight on its link, from 1 on in the order of sending. */
    int position(InFlightMessage message) {
        return (int) inFlight.stream()
                        .takeWhile(other -> other.number() != message.number())
                        .filter(other -> other.from().equals(message.from())
                                && other.to().equals(message.to()))
                        .count()
                + 1;
    }

    /** Whether the message is one between applications. */
    boolean isAppMessage(long number) {
        return events.stream()
                .anyMatch(event -> event instanceof TraceEvent.AppMessageSent sent
                        && sent.message().number() == number);
    }

    /** @throws CommandException unless the node is a member that is up or paused */
    void requireUp(NodeId node) {
        requireMember(node);
        if (down.contains(node)) {
            throw CommandException.usage(node + " is down at this time", "restart it first");
        }
    }

    /** @throws CommandException unless the node is a member that is down */
    void requireDown(NodeId node) {
        requireMember(node);
        if (!down.contains(node)) {
            throw CommandException.usage(node + " is not down at this time", "crash it first");
        }
    }

    private void requireMember(NodeId node) {
        if (left.contains(node)) {
            throw CommandException.usage(node + " has left at this time", "choose another node");
        }
        boolean hasJoined = events.stream()
                .anyMatch(event -> event instanceof TraceEvent.Observed(var at, ObservableEvent.Joined(var joined))
                        && joined.equals(node));
        if (joiners.contains(node) && !hasJoined) {
            throw CommandException.usage(node + " has not joined at this time", "choose another node");
        }
    }
}
