package habemus.cli.admin;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.Terminal;
import habemus.lab.command.ExitCode;
import habemus.lab.table.TextTable;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus status}: the nodes of a cluster, as seen by one of them. */
public final class StatusCommand implements Subcommand {

    @Override
    public String name() {
        return "status";
    }

    @Override
    public String summary() {
        return "Lists the nodes of a cluster: state, leader, term and addresses.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return NodeQuery.syntax(this)
                .exitCodes(
                        "0  a node leads the lock service, or the nodes run classic algorithms",
                        "3  no node leads, or none can be reached")
                .examples("habemus status --at 127.0.0.1:7801");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var status = ServiceClient.of(parsed).get("/status");
        NodeQuery.print(parsed, status, terminal, StatusCommand::table);
        boolean isService = status.has("faultTolerant");
        return isService && status.get("leader").isJsonNull() ? ExitCode.FAILURE : ExitCode.OK;
    }

    private static String table(JsonObject status) {
        var textTable = new TextTable("node", "state", "leader", "term", "pid", "address", "http");
        for (JsonElement element : status.getAsJsonArray("nodes")) {
            var node = element.getAsJsonObject();
            textTable.row(
                    NodeQuery.textOrDash(node, "name"),
                    NodeQuery.textOrDash(node, "state"),
                    NodeQuery.textOrDash(node, "leader"),
                    NodeQuery.textOrDash(node, "term"),
                    NodeQuery.textOrDash(node, "pid"),
                    NodeQuery.textOrDash(node, "address"),
                    NodeQuery.textOrDash(node, "http"));
        }
        return textTable.text() + "\n" + (status.has("faultTolerant") ? service(status) : algorithms(status));
    }

    private static String algorithms(JsonObject status) {
        return "locks by " + NodeQuery.textOrDash(status, "lockAlgorithm") + ", elections by "
                + NodeQuery.textOrDash(status, "electionAlgorithm") + "\n";
    }

    private static String service(JsonObject status) {
        var leader = NodeQuery.textOrDash(status, "leader");
        var counts = status.getAsJsonObject("counts");
        return (leader.equals("-") ? "NO LEADER" : leader + " is the leader")
                + (status.get("faultTolerant").getAsBoolean() ? "" : "; NOT FAULT TOLERANT") + "; "
                + "sessions: " + NodeQuery.textOrDash(counts, "sessions") + ", waiters: "
                + NodeQuery.textOrDash(counts, "waiters") + "\n"
                + NodeQuery.log(status);
    }
}
