package habemus.cli;

import com.google.gson.JsonObject;
import java.io.UncheckedIOException;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus watch}: a line for everything that changes. */
final class WatchCommand implements Command {

    private static final String SECTION = "Options:";

    @Override
    public String name() {
        return "watch";
    }

    @Override
    public String summary() {
        return "Tells how a running cluster is, and then every change, until Ctrl-C.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        return Door.add(new Sheet(this, "[options]"))
                .value(SECTION, "--scope", "NAME", "cluster, or node: only what changes at the node that is asked")
                .flag(SECTION, "--json", "writes a JSON document a line")
                .help(SECTION)
                .example("habemus watch --at 127.0.0.1:7801");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var scope = Output.text(parsed, "--scope").orElse("cluster");
        if (!List.of("cluster", "node").contains(scope)) {
            throw Refusal.wrong("there is no scope '" + scope + "'", "it is cluster, or node");
        }
        var door = Door.of(parsed);
        boolean json = parsed.hasMatchedOption("--json");
        try {
            door.watch(scope, (kind, data) -> {
                if (!kind.equals(Door.ALIVE)) {
                    terminal.out().println(json ? json(kind, data) : line(kind, data));
                    terminal.flush();
                }
            });
        } catch (UncheckedIOException unreachable) {
            throw door.unreachable();
        }
        throw Refusal.cannot("the node has ended", "watch another one with --at HOST:PORT");
    }

    private static JsonObject json(String kind, JsonObject data) {
        var line = new JsonObject();
        line.addProperty("event", kind);
        data.entrySet().forEach(member -> line.add(member.getKey(), member.getValue()));
        return line;
    }

    private static String line(String kind, JsonObject data) {
        return Times.clock() + " " + words(kind, data);
    }

    /** In words, with the node at which it is so. */
    static String words(String kind, JsonObject data) {
        var name = data.has("name") ? Asked.text(data, "name") : "";
        return switch (kind) {
            case "lock" ->
                "lock " + name + " at " + Asked.text(data, "node") + ": "
                        + (data.get("holder").isJsonNull()
                                ? "held by nobody here"
                                : "held by " + Asked.text(data, "holder") + ", fence " + Asked.text(data, "fence"))
                        + waiting(data);
            case "leader" ->
                "election " + name + " at " + Asked.text(data, "node") + ": "
                        + (data.get("leader").isJsonNull()
                                ? "nobody leads"
                                : Asked.text(data, "leader") + " leads, term " + Asked.text(data, "term"))
                        + waiting(data);
            case "semaphore" ->
                "semaphore " + name + " at " + Asked.text(data, "node") + ": " + Asked.text(data, "taken")
                        + " permits taken" + waiting(data);
            case "log" ->
                Asked.text(data, "leader").equals("-")
                        ? "nobody leads the log, as " + Asked.text(data, "node") + " sees it"
                        : Asked.text(data, "leader") + " leads the log";
            default -> name + " is " + Asked.text(data, "state");
        };
    }

    private static String waiting(JsonObject data) {
        var waiters = data.getAsJsonArray("waiters");
        return waiters.isEmpty() ? "" : "; waiting: " + Asked.waiters(waiters);
    }
}
