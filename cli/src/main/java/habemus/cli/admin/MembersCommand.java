package habemus.cli.admin;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.Terminal;
import habemus.lab.command.CommandException;
import habemus.lab.table.TextTable;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus members}: lists, adds and removes the voting members of the cluster. */
public final class MembersCommand implements Subcommand {

    private static final String ADD = "habemus members add n4=10.0.0.4:7601";
    private static final String REMOVE = "habemus members remove n4";

    @Override
    public String name() {
        return "members";
    }

    @Override
    public String summary() {
        return "Lists the voting members of the cluster; adds a node started with --join, or removes a node.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return AdminRequest.withAuditOptions(NodeQuery.syntax(this, "[add NODE=HOST:PORT | remove NODE] [options]"))
                .positionals("ACTION", true)
                .examples("habemus members", ADD, REMOVE);
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var arguments = ParsedOptions.arguments(parsed);
        return NodeQuery.print(parsed, execute(parsed, arguments), terminal, MembersCommand::table);
    }

    private static JsonObject execute(ParseResult parsed, List<String> arguments) {
        var serviceClient = ServiceClient.of(parsed);
        if (arguments.isEmpty()) {
            return serviceClient.get("/members");
        }
        if (arguments.size() == 2 && arguments.getFirst().equals("add")) {
            return serviceClient.post("/members" + AdminRequest.query(parsed), member(arguments.getLast()));
        }
        if (arguments.size() == 2 && arguments.getFirst().equals("remove")) {
            return serviceClient.delete(
                    "/members/" + ServiceClient.encode(arguments.getLast()) + AdminRequest.query(parsed));
        }
        throw CommandException.usage("unknown action: '" + String.join(" ", arguments) + "'", ADD + ", or " + REMOVE);
    }

    private static JsonObject member(String text) {
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw CommandException.usage("member must be NODE=HOST:PORT, was '" + text + "'", ADD);
        }
        var body = new JsonObject();
        body.addProperty("name", text.substring(0, equals));
        body.addProperty("address", text.substring(equals + 1));
        return body;
    }

    private static String table(JsonObject answer) {
        var textTable = new TextTable("node", "address");
        for (JsonElement element : answer.getAsJsonArray("members")) {
            textTable.row(
                    NodeQuery.textOrDash(element.getAsJsonObject(), "name"),
                    NodeQuery.textOrDash(element.getAsJsonObject(), "address"));
        }
        return textTable.text() + NodeQuery.log(answer);
    }
}
