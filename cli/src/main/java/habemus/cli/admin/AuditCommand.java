package habemus.cli.admin;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.terminal.Terminal;
import habemus.lab.table.TextTable;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus audit}: where operators have interfered. */
public final class AuditCommand implements Command {

    @Override
    public String name() {
        return "audit";
    }

    @Override
    public String summary() {
        return "Shows where operators have interfered: who, when, why, and what came of it.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return NodeQuery.syntax(this).examples("habemus audit");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        return NodeQuery.getAndPrint(parsed, "/audit", terminal, AuditCommand::table);
    }

    private static String table(JsonObject answer) {
        var audit = answer.getAsJsonArray("audit");
        if (audit.isEmpty()) {
            return "nobody has interfered\n";
        }
        var textTable = new TextTable("at", "operator", "order", "effect", "reason");
        for (JsonElement each : audit) {
            var one = each.getAsJsonObject();
            textTable.row(
                    NodeQuery.textOrDash(one, "at"),
                    NodeQuery.textOrDash(one, "operator"),
                    NodeQuery.textOrDash(one, "order"),
                    NodeQuery.textOrDash(one, "effect"),
                    NodeQuery.textOrDash(one, "reason"));
        }
        return textTable.text();
    }
}
