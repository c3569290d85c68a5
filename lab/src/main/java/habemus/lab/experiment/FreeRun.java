package habemus.lab.experiment;

import habemus.check.ModelChecker;
import habemus.check.model.Action;
import habemus.check.model.PossibleMove;
import habemus.check.model.Schedule;
import habemus.lab.command.CommandException;
import habemus.lab.trace.TraceWording;
import habemus.protocol.Event;
import habemus.protocol.MembershipAware;
import habemus.protocol.NodeId;
import habemus.protocol.Protocol;
import habemus.world.Fault;
import habemus.world.FaultKind;
import habemus.world.InFlightMessage;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A run whose moves a user chooses one after the other, as the checker does: a run by {@code --moves}. */
public final class FreeRun {

    /**
     * The start of a free run.
     *
     * @param arguments with no moves yet
     * @param dropped the options that are not possible with {@code --moves}
     */
    public record Start(RunArguments arguments, List<WorldOption> dropped) {
        public Start {
            dropped = List.copyOf(dropped);
        }
    }

    /**
     * A move that is possible next.
     *
     * @param move as in {@code --moves}
     * @param isFault whether it is a fault, a restart, a join or a leave; all others are steps of the algorithm, of its
     *     applications and of its world
     * @param peer the sender of the message, or the node that is suspected, restored, added, promoted or removed; null
     *     if there is none
     * @param message the message that is delivered, duplicated or dropped; null if there is none
     * @param text what happens, with the names of the nodes
     */
    public record Choice(
            String move,
            Action.Kind kind,
            boolean isFault,
            NodeId node,
            @Nullable NodeId peer,
            @Nullable InFlightMessage message,
            String text) {}

    /**
     * What may happen next. Partitions are left out, because there are as many as sets of nodes.
     *
     * @param isAtRest whether nothing must happen any more
     */
    public record Choices(boolean isAtRest, List<Choice> moves) {
        public Choices {
            moves = List.copyOf(moves);
        }
    }

    private static final Set<FaultKind> FAULTS = EnumSet.of(
            FaultKind.LOSS,
            FaultKind.DUPLICATION,
            FaultKind.CRASH,
            FaultKind.RESTART,
            FaultKind.AMNESIA,
            FaultKind.MISTAKE);

    private final Experiment experiment;
    private final Protocol<?, ?> protocol;

    private FreeRun(Experiment experiment) {
        this.experiment = experiment;
        protocol = experiment.algorithm().create(experiment.algorithmParameters());
    }

    /** The start of a free run of the same algorithm in the same world, as far as it has no times. */
    public static Start start(RunArguments original) {
        var experiment = ExperimentParser.parse(original);
        var scope = ScheduledExperiment.scope(experiment);
        var arguments = ScheduledExperiment.toArguments(experiment, scope, Schedule.EMPTY);
        var dropped = new ArrayList<WorldOption>();
        for (WorldOption option : WorldOption.values()) {
            boolean isLost = original.has(option) && !option.isAllowedWithMoves();
            if (isLost || option == WorldOption.NETWORK && isOtherNetwork(original, arguments)) {
                dropped.add(option);
            }
        }
        return new Start(arguments, dropped);
    }

    /** Losses and duplicates are moves. */
    private static boolean isOtherNetwork(RunArguments original, RunArguments arguments) {
        return !original.value(WorldOption.NETWORK).equals(arguments.value(WorldOption.NETWORK));
    }

    /**
     * The moves that are possible after those of the arguments.
     *
     * @throws CommandException if these are not possible, or the arguments have no {@code --moves}
     */
    public static Choices choices(RunArguments arguments) {
        if (!arguments.has(WorldOption.MOVES)) {
            throw CommandException.usage("choices need a run that is given move by move", "start one with --moves");
        }
        return new FreeRun(ExperimentParser.parse(arguments)).choices();
    }

    private Choices choices() {
        var schedule = ScheduledExperiment.schedule(experiment);
        try {
            var possible =
                    ModelChecker.possibleMoves(protocol, ScheduledExperiment.scope(experiment), schedule, faults());
            var choices = new ArrayList<Choice>();
            possible.moves().stream()
                    .filter(move -> move.action().kind() != Action.Kind.PARTITION)
                    .map(this::choice)
                    .forEach(choices::add);
            addJoin(choices);
            return new Choices(possible.quiescent(), choices);
        } catch (Schedule.InvalidScheduleException invalid) {
            throw ScheduledExperiment.invalidMoves(invalid);
        }
    }

    /** Without the loss of log entries, which would make each sync a move of its own. */
    private Set<FaultKind> faults() {
        var faults = EnumSet.copyOf(FAULTS);
        if (ScheduledExperiment.scope(experiment).isSynchronous()) {
            faults.add(FaultKind.PAUSE);
        }
        if (protocol instanceof MembershipAware) {
            faults.add(FaultKind.LEAVE);
        }
        return faults;
    }

    private Choice choice(PossibleMove possible) {
        var move = possible.move();
        var draws = move.draws().isEmpty()
                ? ""
                : move.draws().stream().map(String::valueOf).collect(Collectors.joining(", ", ", draws ", ""));
        return new Choice(
                move.toString(),
                possible.action().kind(),
                possible.action().kind().isFault(),
                move.node(),
                move.peer(),
                possible.message(),
                experiment.names().in(text(possible) + draws));
    }

    private static String text(PossibleMove possible) {
        var node = possible.move().node();
        var action = possible.action();
        var message = possible.message();
        if (message != null) {
            return text(action.kind(), message);
        }
        return switch (action.kind()) {
            case CRASH -> TraceWording.describe(new Fault.Crash(node));
            case RESTART -> TraceWording.describe(new Fault.Restart(node, false));
            case AMNESIA -> TraceWording.describe(new Fault.Restart(node, true));
            case LOSE_TAIL -> TraceWording.describe(new Fault.LoseTail(node, 1));
            case PAUSE -> TraceWording.describe(new Fault.Pause(node));
            case RESUME -> TraceWording.describe(new Fault.Resume(node));
            case JOIN -> TraceWording.describe(new Fault.Join(node));
            case HEAL -> "the partition heals";
            case WRONG_SUSPICION ->
                node + " wrongly suspects " + possible.move().peer();
            default ->
                action.event() == null
                        ? node + " " + action.kind()
                        : node + " " + TraceWording.describe(action.event());
        };
    }

    private static String text(Action.Kind kind, InFlightMessage inFlight) {
        var received = TraceWording.describe(new Event.Received<>(inFlight.from(), inFlight.message()));
        return switch (kind) {
            case LOSE -> received + " to " + inFlight.to() + " is lost";
            case DROP_AT_DOWN_NODE -> received + " arrives at " + inFlight.to() + ", which is down";
            case DROP_BY_PARTITION -> received + " to " + inFlight.to() + " is dropped by the partition";
            case DUPLICATE -> inFlight.to() + " receives " + received + ", and a copy follows";
            default -> inFlight.to() + " receives " + received;
        };
    }

    /** A node is part of the world only if it joins, so this move is tried. */
    private void addJoin(List<Choice> choices) {
        var node = new NodeId(experiment.world().topology().highestNumber() + 1);
        if (protocol instanceof MembershipAware<?, ?> aware && aware.mayJoin(node)) {
            var join = node.number() + "join";
            try {
                Fork.of(experiment.arguments(), lastEvent(), new Intervention.NextMoves(join));
                var text = experiment.names().in(TraceWording.describe(new Fault.Join(node)));
                choices.add(new Choice(join, Action.Kind.JOIN, true, node, null, null, text));
            } catch (CommandException impossible) {
                // the last change of the members is not complete
            }
        }
    }

    private int lastEvent() {
        var count = new int[1];
        experiment.run(event -> count[0]++);
        return count[0] - 1;
    }
}
