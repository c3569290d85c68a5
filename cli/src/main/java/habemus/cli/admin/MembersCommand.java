package habemus.cli.admin;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.Terminal;
import habemus.lab.table.TextTable;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus members}: the nodes of the service, one more, one less. */
public final class MembersCommand implements Command {

    private static final String ADD = "habemus members add n4=10.0.0.4:7601";
    private static final String REMOVE = "habemus members remove n4";

    @Override
    public String name() {
        return "members";
    }

    @Override
    public String summary() {
        return "Shows the nodes that keep the service's log; adds one that was started with --join, or removes one.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return NodeQuery.syntax(this, "[add NODE=HOST:PORT | remove NODE] [options]")
                .positionals("WORDS", true)
                .examples("habemus members", ADD, REMOVE);
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var words = NodeQuery.arguments(parsed);
        return NodeQuery.print(parsed, execute(ServiceClient.of(parsed), words), terminal, MembersCommand::table);
    }

    private static JsonObject execute(ServiceClient serviceClient, List<String> words) {
        if (words.isEmpty()) {
            return serviceClient.get("/members");
        }
        if (words.size() == 2 && words.getFirst().equals("add")) {
            return serviceClient.post("/members", member(words.getLast()));
        }
        if (words.size() == 2 && words.getFirst().equals("remove")) {
            return serviceClient.delete("/members/" + ServiceClient.encode(words.getLast()));
        }
        throw CommandException.usage(
                "'" + String.join(" ", words) + "' is not known", "write it as in " + ADD + ", or " + REMOVE);
    }

    private static JsonObject member(String word) {
        int equals = word.indexOf('=');
        if (equals < 1) {
            throw CommandException.usage("'" + word + "' is no node with its address", "write it as in " + ADD);
        }
        var body = new JsonObject();
        body.addProperty("name", word.substring(0, equals));
        body.addProperty("address", word.substring(equals + 1));
        return body;
    }

    private static String table(JsonObject answer) {
        var textTable = new TextTable("node", "address");
        for (JsonElement each : answer.getAsJsonArray("members")) {
            textTable.row(
                    NodeQuery.textOrDash(each.getAsJsonObject(), "name"),
                    NodeQuery.textOrDash(each.getAsJsonObject(), "address"));
        }
        return textTable.text();
    }
}
