package habemus.cli.admin;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.Terminal;
import habemus.lab.table.TextTable;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus audit}: the audit log of administrative actions. */
public final class AuditCommand implements Subcommand {

    @Override
    public String name() {
        return "audit";
    }

    @Override
    public String summary() {
        return "Lists the administrative actions: operator, time, reason and effect.";
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
            return "no administrative actions\n";
        }
        var textTable = new TextTable("time", "operator", "action", "effect", "reason");
        for (JsonElement element : audit) {
            var record = element.getAsJsonObject();
            textTable.row(
                    NodeQuery.textOrDash(record, "at"),
                    NodeQuery.textOrDash(record, "operator"),
                    NodeQuery.textOrDash(record, "command"),
                    NodeQuery.textOrDash(record, "effect"),
                    NodeQuery.textOrDash(record, "reason"));
        }
        return textTable.text();
    }
}
