package habemus.cli;

import habemus.protocol.NodeId;
import habemus.world.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Reads what the applications do: who asks, when, how often, and how long it stays inside. */
final class WorkloadReader {

    private static final Pattern CALL = Pattern.compile("(" + Nodes.PATTERN + ")(?:@(" + Times.PATTERN + "))?");
    private static final int MOST_ENTRIES = 1_000_000_000;

    private WorkloadReader() {}

    static Workload read(RunWords words, Nodes nodes) {
        var callers = callers(words);
        var workload = callers.text().equals("all")
                ? Workload.once(nodes.all())
                : Workload.once(List.of()).calling(calls(callers, nodes));
        return workload.entering((int) words.one(WorldOption.ENTRIES).number(1, MOST_ENTRIES))
                .thinking(words.one(WorldOption.THINK).time())
                .holding(words.one(WorldOption.HOLD).time())
                .chatting(chatter(words.one(WorldOption.CHATTER)));
    }

    private static Given callers(RunWords words) {
        if (words.has(WorldOption.CALLERS) && words.has(WorldOption.ACQUIRE)) {
            throw Refusal.wrong("--callers and --acquire both say who asks", "give one of them");
        }
        return words.ifGiven(WorldOption.ACQUIRE)
                .or(() -> words.ifGiven(WorldOption.CALLERS))
                .orElseGet(() -> words.one(WorldOption.INITIATORS));
    }

    private static List<Workload.Call> calls(Given given, Nodes nodes) {
        var calls = new ArrayList<Workload.Call>();
        var callers = new ArrayList<NodeId>();
        for (String part : given.text().split(",", -1)) {
            var parts = CALL.matcher(part);
            if (!parts.matches()) {
                throw given.malformed();
            }
            var node = nodes.read(given, parts.group(1));
            if (callers.contains(node)) {
                throw given.wrong("names " + node + " twice", "name it once; --entries says how often it asks");
            }
            callers.add(node);
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
}
