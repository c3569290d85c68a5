package habemus.cli;

import habemus.protocol.NodeId;
import habemus.world.Problem;
import habemus.world.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/** Reads what the applications do: who asks, when, how often, and how long it stays inside. */
final class WorkloadReader {

    private static final Pattern CALL = Pattern.compile("(" + Nodes.PATTERN + ")(?:@(" + Times.PATTERN + "))?");
    private static final String RANDOM = "random:";
    private static final int MOST_ENTRIES = 1_000_000_000;

    private WorkloadReader() {}

    static Workload read(RunWords words, Nodes nodes, long seed) {
        var callers = callers(words);
        boolean asked = words.algorithm().problem() != Problem.DETECTOR;
        var workload = Workload.once(asked ? nodes.all() : List.of());
        if (callers.text().startsWith(RANDOM)) {
            workload = workload.calling(random(callers, nodes, seed));
        } else if (!callers.text().equals("all")) {
            workload = workload.calling(calls(callers, nodes));
        }
        return workload.entering((int) words.one(WorldOption.ENTRIES).number(1, MOST_ENTRIES))
                .thinking(words.one(WorldOption.THINK).time())
                .holding(words.one(WorldOption.HOLD).time())
                .chatting(chatter(words.one(WorldOption.CHATTER)))
                .writing(writing(words.one(WorldOption.WRITES)));
    }

    private static Given callers(RunWords words) {
        if (words.has(WorldOption.CALLERS) && words.has(WorldOption.ACQUIRE)) {
            throw Refusal.wrong("--callers and --acquire both say who asks", "give one of them");
        }
        return words.ifGiven(WorldOption.ACQUIRE)
                .or(() -> words.ifGiven(WorldOption.CALLERS))
                .orElseGet(() -> words.one(
                        words.algorithm().problem() == Problem.MUTEX ? WorldOption.ACQUIRE : WorldOption.INITIATORS));
    }

    /** Everybody asks when the seed says, so that seeds differ even where latencies do not. */
    private static List<Workload.Call> random(Given given, Nodes nodes, long seed) {
        long within = given.time(given.text().substring(RANDOM.length())).toNanos() / 1_000;
        var chance = new SplittableRandom(seed ^ 0x2545F4914F6CDD1DL); // not the numbers that the run itself draws
        var calls = new ArrayList<Workload.Call>();
        for (NodeId node : nodes.all()) {
            calls.add(new Workload.Call(node, Duration.ofNanos(1_000 * chance.nextLong(within + 1))));
        }
        return calls;
    }

    private static List<Workload.Call> calls(Given given, Nodes nodes) {
        var calls = new ArrayList<Workload.Call>();
        for (String part : given.text().split(",", -1)) {
            var parts = CALL.matcher(part);
            if (!parts.matches()) {
                throw given.malformed();
            }
            var node = nodes.read(given, parts.group(1));
            var at = parts.group(2);
            calls.add(new Workload.Call(node, at == null ? Duration.ZERO : Times.read(at)));
        }
        return calls;
    }

    private static Workload.Chatter chatter(Given given) {
        return switch (given.text()) {
            case "none" -> Workload.Chatter.NONE;
            case "apart" -> Workload.Chatter.APART;
            case "shared" -> Workload.Chatter.SHARED;
            default -> throw given.wrong("is no kind of chatter", "it is none, apart or shared");
        };
    }

    private static Workload.Writing writing(Given given) {
        return switch (given.text()) {
            case "none" -> Workload.Writing.NONE;
            case "plain" -> Workload.Writing.PLAIN;
            case "fenced" -> Workload.Writing.FENCED;
            default -> throw given.wrong("is no resource", "it is none, plain or fenced");
        };
    }
}
