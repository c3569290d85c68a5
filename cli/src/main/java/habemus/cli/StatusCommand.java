package habemus.cli;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import habemus.lab.table.Table;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus status}: all nodes, as one of them sees them. */
final class StatusCommand implements Command {

    @Override
    public String name() {
        return "status";
    }

    @Override
    public String summary() {
        return "Asks a running node who is there, and whom everybody names as leader.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        return Asked.sheet(this).example("habemus status --at 127.0.0.1:7801");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        return Asked.answer(parsed, "/status", terminal, StatusCommand::table);
    }

    private static String table(JsonObject status) {
        var table = new Table("node", "state", "leader", "term", "pid", "address", "http");
        for (JsonElement each : status.getAsJsonArray("nodes")) {
            var node = each.getAsJsonObject();
            table.row(
                    Asked.text(node, "name"),
                    Asked.text(node, "state"),
                    Asked.text(node, "leader"),
                    Asked.text(node, "term"),
                    Asked.text(node, "pid"),
                    Asked.text(node, "address"),
                    Asked.text(node, "http"));
        }
        return table.text() + "\n" + (status.has("faultTolerant") ? service(status) : algorithms(status));
    }

    private static String algorithms(JsonObject status) {
        return "locks by " + Asked.text(status, "locks") + ", elections by " + Asked.text(status, "elections") + "\n";
    }

    private static String service(JsonObject status) {
        var leader = Asked.text(status, "leader");
        var counts = status.getAsJsonObject("counts");
        return (leader.equals("-") ? "NOBODY leads the log" : leader + " leads the log")
                + (status.get("faultTolerant").getAsBoolean() ? "" : "; NOT FAULT TOLERANT") + "; "
                + Asked.text(counts, "sessions") + " sessions, " + Asked.text(counts, "waiters") + " waiting\n";
    }
}
