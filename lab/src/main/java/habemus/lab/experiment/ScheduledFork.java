package habemus.lab.experiment;

import habemus.check.ModelChecker;
import habemus.check.model.Move;
import habemus.check.model.Schedule;
import habemus.lab.command.CommandException;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.InFlightMessage;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Forks a run that is given move by move. It keeps the moves up to the cursor and appends one, or delivers a message
 * later. See {@link Fork}.
 */
final class ScheduledFork {

    private final Experiment experiment;
    private final RunPrefix prefix;

    ScheduledFork(Experiment experiment, RunPrefix prefix) {
        this.experiment = experiment;
        this.prefix = prefix;
    }

    RunArguments with(Intervention intervention) {
        var schedule = intervention instanceof Intervention.DelayByMoves(var message, var moves)
                ? delayed(message, moves)
                : appended(intervention);
        var fork = experiment.arguments().with(WorldOption.MOVES, schedule.toString());
        requireSamePrefix(ExperimentParser.parse(fork));
        return fork;
    }

    private Schedule appended(Intervention intervention) {
        var moves = new ArrayList<>(movesBefore());
        moves.addAll(ScheduledExperiment.parse(moves(intervention)).moves());
        return new Schedule(moves);
    }

    private Schedule delayed(long message, int moves) {
        requireInFlight(message);
        if (moves < 1) {
            throw CommandException.usage("a delay must be at least one move, was " + moves, "write 1");
        }
        var original = ScheduledExperiment.schedule(experiment);
        var delayed = ModelChecker.delay(
                experiment.algorithm().create(experiment.algorithmParameters()),
                ScheduledExperiment.scope(experiment),
                original,
                deliveryOf(message),
                moves);
        if (delayed.equals(original)) {
            throw CommandException.usage(
                    "message " + message + " cannot arrive later in this run",
                    "all other moves wait for it: choose another message");
        }
        return delayed;
    }

    /** The index of the move that delivers the message. */
    private int deliveryOf(long message) {
        var trace = new ArrayList<TraceEvent>();
        experiment.run(trace::add);
        return trace.stream()
                .filter(event -> event instanceof TraceEvent.Step step && step.messageNumber() == message)
                .mapToInt(event -> Math.toIntExact(event.at()) - 1)
                .filter(index -> index >= prefix.time())
                .findFirst()
                .orElseThrow(() -> CommandException.usage(
                        "message " + message + " does not arrive in this run", "delay a message that arrives"));
    }

    /** The moves up to the cursor, and all starts: the time of an event is the number of its move. */
    private List<Move> movesBefore() {
        var moves = ScheduledExperiment.schedule(experiment).moves();
        var before = new ArrayList<>(
                moves.stream().filter(move -> move.verb() == Move.Verb.START).toList());
        moves.stream()
                .filter(move -> move.verb() != Move.Verb.START)
                .limit(prefix.time())
                .forEach(before::add);
        return before;
    }

    private String moves(Intervention intervention) {
        return switch (intervention) {
            case Intervention.Crash(var node) -> node.number() + "crash";
            case Intervention.Restart(var node, var amnesia) -> node.number() + (amnesia ? "amnesia" : "restart");
            case Intervention.Pause(var node) -> node.number() + "pause";
            case Intervention.Resume(var node) -> node.number() + "resume";
            case Intervention.Partition(var groups) -> partition(groups);
            case Intervention.Heal(var groups) -> heal();
            case Intervention.Lose(var message) -> messageMove(message, Move.Verb.LOSE);
            case Intervention.Duplicate(var message) -> messageMove(message, Move.Verb.DUPLICATE);
            case Intervention.Delay(var message, var by) ->
                throw CommandException.usage(
                        "a run that is given move by move has no times", "delay the message by a number of moves");
            case Intervention.DelayByMoves delay -> throw new IllegalArgumentException("changes the order of moves");
            case Intervention.Acquire(var node) -> node.number() + "request";
            case Intervention.Campaign(var node) -> node.number() + "request";
            case Intervention.NextMoves(var text) -> text;
        };
    }

    private String messageMove(long number, Move.Verb verb) {
        var message = requireInFlight(number);
        return Move.of(message.to(), verb)
                .withPeer(message.from(), prefix.position(message))
                .toString();
    }

    private InFlightMessage requireInFlight(long number) {
        return prefix.inFlight(number)
                .orElseThrow(() -> CommandException.usage(
                        "message " + number + " is not in flight at this time", "choose a message that is"));
    }

    /** The move belongs to the first node of the side without the first node of all. */
    private String partition(List<NodeSet> groups) {
        var nodes = experiment.world().topology().nodes();
        var all = NodeSet.of(nodes);
        if (groups.size() != 2
                || groups.stream().anyMatch(NodeSet::isEmpty)
                || !groups.get(0).intersection(groups.get(1)).isEmpty()
                || !groups.get(0).with(groups.get(1)).equals(all)) {
            throw CommandException.usage(
                    "a partition of a run that is given move by move has two sides", "put every node on one of them");
        }
        var side = groups.get(0).contains(nodes.getFirst()) ? groups.get(1) : groups.get(0);
        var label = side.toList().stream()
                .map(node -> Integer.toString(node.number()))
                .collect(Collectors.joining("_"));
        return Move.of(first(side), Move.Verb.PARTITION).withLabel(label, 0).toString();
    }

    private String heal() {
        var cut = prefix.cuts().stream()
                .findFirst()
                .orElseThrow(() -> CommandException.usage("there is no partition at this time", "add one first"));
        return Move.of(first(cut.from()), Move.Verb.HEAL).toString();
    }

    private NodeId first(NodeSet side) {
        return experiment.world().topology().nodes().stream()
                .filter(side::contains)
                .findFirst()
                .orElseThrow();
    }

    /** Some moves change what all others do: if a disk can lose entries, each sync of a log is a move of its own. */
    private void requireSamePrefix(Experiment fork) {
        var before = withoutVerdicts(prefix.events());
        var trace = new ArrayList<TraceEvent>();
        fork.run(trace::add);
        var after = withoutVerdicts(trace);
        if (after.size() < before.size() || !after.subList(0, before.size()).equals(before)) {
            throw CommandException.usage("this move would change the run before it", "choose another move");
        }
    }

    private static List<TraceEvent> withoutVerdicts(List<TraceEvent> events) {
        return events.stream()
                .filter(event ->
                        !(event instanceof TraceEvent.Violated) && !(event instanceof TraceEvent.NotGuaranteed))
                .toList();
    }
}
