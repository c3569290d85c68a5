package habemus.cli;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import habemus.lab.table.Table;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus members}: the nodes of the service, one more, one less. */
final class MembersCommand implements Command {

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
    public Sheet sheet(List<String> args) {
        return Asked.sheet(this, "[add NODE=HOST:PORT | remove NODE] [options]")
                .words("WORDS", true)
                .example("habemus members", ADD, REMOVE);
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var words = Asked.words(parsed);
        return Asked.show(parsed, answer(Door.of(parsed), words), terminal, MembersCommand::table);
    }

    private static JsonObject answer(Door door, List<String> words) {
        if (words.isEmpty()) {
            return door.get("/members");
        }
        if (words.size() == 2 && words.getFirst().equals("add")) {
            return door.post("/members", member(words.getLast()));
        }
        if (words.size() == 2 && words.getFirst().equals("remove")) {
            return door.delete("/members/" + Door.encode(words.getLast()));
        }
        throw Refusal.wrong(
                "'" + String.join(" ", words) + "' is not known", "write it as in " + ADD + ", or " + REMOVE);
    }

    private static JsonObject member(String word) {
        int equals = word.indexOf('=');
        if (equals < 1) {
            throw Refusal.wrong("'" + word + "' is no node with its address", "write it as in " + ADD);
        }
        var body = new JsonObject();
        body.addProperty("name", word.substring(0, equals));
        body.addProperty("address", word.substring(equals + 1));
        return body;
    }

    private static String table(JsonObject answer) {
        var table = new Table("node", "address");
        for (JsonElement each : answer.getAsJsonArray("members")) {
            table.row(Asked.text(each.getAsJsonObject(), "name"), Asked.text(each.getAsJsonObject(), "address"));
        }
        return table.text();
    }
}
