package habemus.cli.admin;

import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.DurationOptions;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.Terminal;
import habemus.lab.command.CommandException;
import habemus.lab.command.ValueType;
import java.io.UncheckedIOException;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus watch}: prints every change of a cluster. */
public final class WatchCommand implements Subcommand {

    private static final String SECTION = "Options:";

    @Override
    public String name() {
        return "watch";
    }

    @Override
    public String summary() {
        return "Prints the state of a cluster, and then every change, until Ctrl-C.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return ServiceClient.addOptions(new CommandSyntax(this, "[options]"))
                .value(
                        SECTION,
                        "--scope",
                        "SCOPE",
                        ValueType.choice("cluster", "node").withDefault("cluster"),
                        "cluster, or node: only the changes at the node of --at")
                .flag(SECTION, "--json", "prints one JSON document a line")
                .helpOption(SECTION)
                .examples("habemus watch --at 127.0.0.1:7801");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        String scope = ParsedOptions.get(parsed, "--scope");
        var serviceClient = ServiceClient.of(parsed);
        boolean json = parsed.hasMatchedOption("--json");
        try {
            serviceClient.watch(scope, (kind, data) -> {
                if (!kind.equals(ServiceClient.KEEP_ALIVE)) {
                    var printable = PrintableJson.of(data);
                    terminal.out().println(json ? json(kind, printable) : line(kind, printable));
                    terminal.flush();
                }
            });
        } catch (UncheckedIOException unreachable) {
            throw serviceClient.unreachable();
        }
        throw CommandException.failure("the node has stopped", "watch another node with --at HOST:PORT");
    }

    private static JsonObject json(String kind, JsonObject data) {
        var line = new JsonObject();
        line.addProperty("event", kind);
        data.entrySet().forEach(member -> line.add(member.getKey(), member.getValue()));
        return line;
    }

    private static String line(String kind, JsonObject data) {
        return DurationOptions.wallClock() + " " + describe(kind, data);
    }

    /** One change as text, with the node that reports it. */
    static String describe(String kind, JsonObject data) {
        var name = data.has("name") ? NodeQuery.textOrDash(data, "name") : "";
        return switch (kind) {
            case "lock" ->
                "lock " + name + " at " + NodeQuery.textOrDash(data, "node") + ": "
                        + (data.get("holder").isJsonNull()
                                ? "not held"
                                : "held by " + NodeQuery.textOrDash(data, "holder") + ", fence "
                                        + NodeQuery.textOrDash(data, "fence"))
                        + waiting(data);
            case "leader" ->
                "election " + name + " at " + NodeQuery.textOrDash(data, "node") + ": "
                        + (data.get("leader").isJsonNull()
                                ? "no leader"
                                : NodeQuery.textOrDash(data, "leader") + " is the leader, term "
                                        + NodeQuery.textOrDash(data, "term"))
                        + waiting(data);
            case "semaphore" ->
                "semaphore " + name + " at " + NodeQuery.textOrDash(data, "node") + ": "
                        + NodeQuery.textOrDash(data, "permitsInUse") + " permits in use" + waiting(data);
            case "log-leader" ->
                NodeQuery.textOrDash(data, "leader").equals("-")
                        ? "no leader, as seen by " + NodeQuery.textOrDash(data, "node")
                        : NodeQuery.textOrDash(data, "leader") + " is the leader";
            default -> name + " is " + NodeQuery.textOrDash(data, "state");
        };
    }

    private static String waiting(JsonObject data) {
        var waiters = data.getAsJsonArray("waiters");
        return waiters.isEmpty() ? "" : "; waiting: " + NodeQuery.formatWaiters(waiters);
    }
}
