package habemus.cli.experiment;

import habemus.cli.options.DurationOptions;
import habemus.cli.terminal.CommandException;
import habemus.protocol.NodeId;
import habemus.world.Problem;
import habemus.world.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/** Parses the workload: which nodes request, when, how often, and how long they hold. */
final class WorkloadParser {

    private static final Pattern CALL =
            Pattern.compile("(" + NodeParser.PATTERN + ")(?:@(" + DurationOptions.PATTERN + "))?");
    private static final String RANDOM = "random:";
    private static final int MAX_ENTRIES = 1_000_000_000;

    private WorkloadParser() {}

    static Workload parse(RunArguments arguments, NodeParser nodes, long seed) {
        var callers = callers(arguments);
        boolean hasCallers = arguments.algorithm().problem() != Problem.DETECTOR;
        var workload = Workload.once(hasCallers ? nodes.all() : List.of());
        if (callers.text().startsWith(RANDOM)) {
            workload = workload.withRequests(random(callers, nodes, seed));
        } else if (!callers.text().equals("all")) {
            workload = workload.withRequests(calls(callers, nodes));
        }
        return workload.withEntries((int) arguments.value(WorldOption.ENTRIES).number(1, MAX_ENTRIES))
                .withThinkTime(arguments.value(WorldOption.THINK).time())
                .withHoldTime(arguments.value(WorldOption.HOLD).time())
                .withChatter(chatter(arguments.value(WorldOption.CHATTER)))
                .withWriting(writing(arguments.value(WorldOption.WRITES)));
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
        var chance = new SplittableRandom(seed ^ 0x2545F4914F6CDD1DL); // independent of the random numbers of the run
        var requests = new ArrayList<Workload.Request>();
        for (NodeId node : nodes.all()) {
            requests.add(new Workload.Request(node, Duration.ofNanos(1_000 * chance.nextLong(within + 1))));
        }
        return requests;
    }

    private static List<Workload.Request> calls(OptionValue value, NodeParser nodes) {
        var requests = new ArrayList<Workload.Request>();
        for (String part : value.text().split(",", -1)) {
            var parts = CALL.matcher(part);
            if (!parts.matches()) {
                throw value.malformed();
            }
            var node = nodes.parse(value, parts.group(1));
            var at = parts.group(2);
            requests.add(new Workload.Request(node, at == null ? Duration.ZERO : DurationOptions.parseMillis(at)));
        }
        return requests;
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
