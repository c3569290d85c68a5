package habemus.cli;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import habemus.lab.table.Table;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus audit}: where operators have interfered. */
final class AuditCommand implements Command {

    @Override
    public String name() {
        return "audit";
    }

    @Override
    public String summary() {
        return "Shows where operators have interfered: who, when, why, and what came of it.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        return Asked.sheet(this).example("habemus audit");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        return Asked.answer(parsed, "/audit", terminal, AuditCommand::table);
    }

    private static String table(JsonObject answer) {
        var audit = answer.getAsJsonArray("audit");
        if (audit.isEmpty()) {
            return "nobody has interfered\n";
        }
        var table = new Table("at", "operator", "order", "effect", "reason");
        for (JsonElement each : audit) {
            var one = each.getAsJsonObject();
            table.row(
                    Asked.text(one, "at"),
                    Asked.text(one, "operator"),
                    Asked.text(one, "order"),
                    Asked.text(one, "effect"),
                    Asked.text(one, "reason"));
        }
        return table.text();
    }
}
