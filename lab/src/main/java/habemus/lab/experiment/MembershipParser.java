package habemus.lab.experiment;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.check.model.Move;
import habemus.check.model.Schedule;
import habemus.lab.command.CommandException;
import habemus.protocol.MembershipAware;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.Problem;
import habemus.world.Topology;
import habemus.world.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/** Parses {@code --join} and {@code --leave}, and rejects changes that the algorithm or the nodes do not allow. */
public final class MembershipParser {

    private static final Pattern CHANGE =
            Pattern.compile("(" + NodeParser.PATTERN + ")@(" + SimulatedTime.PATTERN + ")");

    private final RunArguments arguments;
    private final AlgorithmParameters parameters;
    private final NodeSet first;
    private final List<Fault.PlannedFault> changes = new ArrayList<>();

    private MembershipParser(RunArguments arguments, AlgorithmParameters parameters, NodeSet first) {
        this.arguments = arguments;
        this.parameters = parameters;
        this.first = first;
    }

    /** The nodes that join, by {@code --join} or by a move. */
    static NodeSet joiners(RunArguments arguments) {
        var joiners = NodeSet.NONE;
        for (OptionValue value : arguments.parts(WorldOption.JOIN)) {
            joiners = joiners.with(node(value));
        }
        return arguments
                .find(WorldOption.MOVES)
                .map(moves -> joinersOfMoves(moves.text()))
                .orElse(joiners);
    }

    private static NodeSet joinersOfMoves(String text) {
        try {
            return NodeSet.of(Schedule.parse(text).moves().stream()
                    .filter(move -> move.verb() == Move.Verb.JOIN)
                    .map(Move::node)
                    .distinct()
                    .toList());
        } catch (Schedule.InvalidScheduleException reportedWhenPlayed) {
            return NodeSet.NONE;
        }
    }

    /** The changes, by time. */
    static List<Fault.PlannedFault> parse(RunArguments arguments, AlgorithmParameters parameters, Topology topology) {
        var parser = new MembershipParser(arguments, parameters, NodeSet.of(topology.nodes()));
        arguments.parts(WorldOption.JOIN).forEach(parser::join);
        arguments.parts(WorldOption.LEAVE).forEach(parser::leave);
        parser.changes.sort(Comparator.comparing(Fault.PlannedFault::at));
        return parser.changes;
    }

    /** A new member requests the lock when it joins, unless the options say which nodes do. */
    static Workload withJoiners(Workload workload, RunArguments arguments, List<Fault.PlannedFault> changes) {
        if (arguments.algorithm().problem() != Problem.MUTEX
                || arguments.has(WorldOption.ACQUIRE)
                || arguments.has(WorldOption.CALLERS)) {
            return workload;
        }
        var requests = new ArrayList<>(workload.requests());
        for (var planned : changes) {
            if (planned.fault() instanceof Fault.Join(var node)) {
                requests.add(new Workload.Request(node, planned.at()));
            }
        }
        return workload.withRequests(requests);
    }

    private static NodeId node(OptionValue value) {
        int number = NodeParser.parseNumber(value, value.matchOrThrow(CHANGE).group(1));
        if (number < 1 || number >= NodeId.LIMIT) {
            throw value.invalid("names no node", "use a number from 1 to " + (NodeId.LIMIT - 1));
        }
        return new NodeId(number);
    }

    private static Duration at(OptionValue value) {
        return value.time(value.matchOrThrow(CHANGE).group(2));
    }

    private void join(OptionValue value) {
        var node = node(value);
        var aware =
                requireAware(arguments.algorithm(), parameters, value.option().option());
        if (first.contains(node)) {
            var unused = first.toList().getLast().number() + 1;
            throw value.invalid(
                    "names " + node + ", which is a member from the start (a node joins once)",
                    "use a new number: --join " + unused + "@" + at(value).toMillis());
        }
        if (changes.stream().anyMatch(planned -> planned.fault().equals(new Fault.Join(node)))) {
            throw value.invalid("names " + node + " again (a node joins once)", "use a new number");
        }
        if (!aware.mayJoin(node)) {
            throw value.invalid("is not possible with these options of " + name(), "leave these options out");
        }
        changes.add(new Fault.PlannedFault(at(value), new Fault.Join(node)));
    }

    private void leave(OptionValue value) {
        var node = node(value);
        var at = at(value);
        var aware =
                requireAware(arguments.algorithm(), parameters, value.option().option());
        boolean hasJoined = first.contains(node)
                || changes.stream()
                        .anyMatch(planned -> planned.fault().equals(new Fault.Join(node))
                                && planned.at().compareTo(at) <= 0);
        if (!hasJoined) {
            throw value.invalid("names " + node + ", which is no member at that time", "name a member");
        }
        if (!aware.mayLeave(node)) {
            throw value.invalid(
                    "names " + node + ", which cannot leave " + name() + " with these options",
                    "let another node leave");
        }
        if (changes.stream().anyMatch(planned -> planned.fault().equals(new Fault.Leave(node)))) {
            throw value.invalid("names " + node + " again (a node leaves for good)", "name another node");
        }
        changes.add(new Fault.PlannedFault(at, new Fault.Leave(node)));
        if (remaining() < 1) {
            throw value.invalid("leaves no member", "let fewer nodes leave");
        }
    }

    private String name() {
        return arguments.algorithm().name();
    }

    private long remaining() {
        return first.size()
                + changes.stream()
                        .mapToLong(planned -> planned.fault() instanceof Fault.Join ? 1 : -1)
                        .sum();
    }

    /** @throws CommandException if the members of the algorithm cannot change */
    public static MembershipAware<?, ?> requireAware(
            Algorithm algorithm, AlgorithmParameters parameters, String option) {
        if (algorithm.create(parameters) instanceof MembershipAware<?, ?> aware) {
            return aware;
        }
        var able = Catalogue.ALL.stream()
                .filter(other -> other.problem() == algorithm.problem() && other.changesMembers())
                .map(Algorithm::name)
                .toList();
        var hint = able.contains(algorithm.name())
                ? "leave --detector out: " + algorithm.name() + " can, with the detector of the world"
                : able.isEmpty() ? "leave " + option + " out" : "these can: " + String.join(", ", able);
        throw CommandException.usage(
                option + ": " + algorithm.name() + " cannot change its members (they are fixed at the start)", hint);
    }
}
