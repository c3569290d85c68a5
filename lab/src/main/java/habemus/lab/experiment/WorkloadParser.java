package habemus.lab.experiment;

import habemus.lab.command.CommandException;
import habemus.protocol.NodeId;
import habemus.world.Problem;
import habemus.world.SeededRandom;
import habemus.world.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Parses the workload: which nodes request, when, how often, and how long they hold. */
final class WorkloadParser {

    private static final Pattern CALL =
            Pattern.compile("(" + NodeParser.PATTERN + ")(?:@(" + SimulatedTime.PATTERN + "))?");
    private static final String RANDOM = "random:";
    private static final int MAX_ENTRIES = 1_000_000_000;
    private static final Duration LOG_THINK_TIME = Duration.ofMillis(30);

    private WorkloadParser() {}

    static Workload parse(RunArguments arguments, NodeParser nodes, long seed) {
        if (arguments.algorithm().problem() == Problem.LOG) {
            return logCalls(arguments, nodes);
        }
        var callers = callers(arguments);
        boolean hasCallers = arguments.algorithm().problem().hasCallers();
        var workload = Workload.once(hasCallers ? nodes.first() : List.of());
        if (callers.text().startsWith(RANDOM)) {
            workload = workload.withRequests(random(callers, nodes, seed));
        } else if (!callers.text().equals("all")) {
            workload = workload.withRequests(calls(callers, nodes));
        }
        return workload.withEntries((int) arguments.value(WorldOption.ENTRIES).number(1, MAX_ENTRIES))
                .withThinkTime(thinkTime(arguments, Duration.ZERO))
                .withHoldTime(arguments.value(WorldOption.HOLD).time())
                .withFurtherRequests(furtherRequests(arguments, nodes))
                .withChatter(chatter(arguments.value(WorldOption.CHATTER)))
                .withWriting(writing(arguments.value(WorldOption.WRITES)));
    }

    /** One client, which looks for a leader before each of its calls. */
    private static Workload logCalls(RunArguments arguments, NodeParser nodeParser) {
        int calls = (int) arguments.value(WorldOption.PROPOSALS).number(0, MAX_ENTRIES);
        var client = calls == 0 ? List.<NodeId>of() : nodeParser.first().subList(0, 1);
        return Workload.once(client)
                .withEntries(Math.max(1, calls))
                .withThinkTime(thinkTime(arguments, LOG_THINK_TIME))
                .withMix(mix(arguments));
    }

    private static Duration thinkTime(RunArguments arguments, Duration defaultTime) {
        return arguments.find(WorldOption.THINK).map(OptionValue::time).orElse(defaultTime);
    }

    private static Workload.LogCallMix mix(RunArguments arguments) {
        var shares = Stream.of(
                        WorldOption.READS, WorldOption.SNAPSHOTS, WorldOption.MEMBER_CHANGES, WorldOption.TRANSFERS)
                .map(option -> (int) arguments.value(option).number(0, 100))
                .toList();
        int sum = shares.stream().mapToInt(Integer::intValue).sum();
        if (sum > 100) {
            throw CommandException.usage(
                    "--reads, --snapshots, --member-changes and --transfers add up to " + sum + " % (at most 100 %)",
                    "use smaller shares: the rest are proposals");
        }
        return new Workload.LogCallMix(shares.get(0), shares.get(1), shares.get(2), shares.get(3));
    }

    private static OptionValue callers(RunArguments arguments) {
        if (arguments.has(WorldOption.CALLERS) && arguments.has(WorldOption.ACQUIRE)) {
            throw CommandException.usage("--callers and --acquire exclude each other", "give one of them");
        }
        return arguments
                .find(WorldOption.ACQUIRE)
                .or(() -> arguments.find(WorldOption.CALLERS))
                .orElseGet(() -> arguments.value(
                        arguments.algorithm().problem() == Problem.MUTEX
                                ? WorldOption.ACQUIRE
                                : WorldOption.INITIATORS));
    }

    /** All nodes request at random times, so that runs with a fixed latency differ by seed too. */
    private static List<Workload.Request> random(OptionValue value, NodeParser nodes, long seed) {
        long within = value.time(value.text().substring(RANDOM.length())).toNanos() / 1_000;
        var chance = new SeededRandom(seed ^ 0x2545F4914F6CDD1DL); // independent of the random numbers of the run
        var requests = new ArrayList<Workload.Request>();
        for (NodeId node : nodes.first()) {
            requests.add(new Workload.Request(node, Duration.ofNanos(1_000 * chance.nextLong(within + 1))));
        }
        return requests;
    }

    private static List<Workload.Request> calls(OptionValue value, NodeParser nodes) {
        var requests = new ArrayList<Workload.Request>();
        for (String part : value.text().split(",", -1)) {
            requests.add(call(value, part, nodes));
        }
        return requests;
    }

    private static Workload.Request call(OptionValue value, String part, NodeParser nodes) {
        var parts = CALL.matcher(part);
        if (!parts.matches()) {
            throw value.malformed();
        }
        var node = nodes.parse(value, parts.group(1));
        var at = parts.group(2);
        return new Workload.Request(node, at == null ? Duration.ZERO : SimulatedTime.parseMillis(at));
    }

    private static List<Workload.Request> furtherRequests(RunArguments arguments, NodeParser nodes) {
        return arguments.parts(WorldOption.ALSO_REQUEST).stream()
                .map(part -> call(part, part.text(), nodes))
                .toList();
    }

    private static Workload.Chatter chatter(OptionValue value) {
        return switch (value.text()) {
            case "none" -> Workload.Chatter.NONE;
            case "apart" -> Workload.Chatter.SEPARATE_LINKS;
            case "shared" -> Workload.Chatter.SHARED_LINKS;
            default -> throw value.invalid("is not a kind of application messages", "use none, apart or shared");
        };
    }

    private static Workload.Writing writing(OptionValue value) {
        return switch (value.text()) {
            case "none" -> Workload.Writing.NONE;
            case "plain" -> Workload.Writing.PLAIN;
            case "fenced" -> Workload.Writing.FENCED;
            default -> throw value.invalid("is not a kind of resource", "use none, plain or fenced");
        };
    }
}
