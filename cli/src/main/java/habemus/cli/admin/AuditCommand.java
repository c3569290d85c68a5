package habemus.cli.admin;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.Terminal;
import habemus.lab.table.TextTable;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus audit}: the audit log: actions of operators, and requests without the right for them. */
public final class AuditCommand implements Subcommand {

    @Override
    public String name() {
        return "audit";
    }

    @Override
    public String summary() {
        return "Lists the actions of operators and the denied requests: who, from where, why.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return Listing.withLimit(NodeQuery.syntax(this)).examples("habemus audit", "habemus audit --json");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        return NodeQuery.listAndPrint(parsed, "audit", terminal, AuditCommand::table);
    }

    private static String table(JsonObject answer) {
        var audit = answer.getAsJsonArray("audit");
        if (audit.isEmpty()) {
            return "no actions, and no denied requests\n";
        }
        var textTable = new TextTable("time", "who", "from", "what", "effect", "reason");
        for (JsonElement element : audit) {
            var record = element.getAsJsonObject();
            textTable.row(
                    NodeQuery.textOrDash(record, "at"),
                    NodeQuery.textOrDash(record, "operator"),
                    NodeQuery.textOrDash(record, "address"),
                    NodeQuery.textOrDash(record, "command"),
                    NodeQuery.textOrDash(record, "effect"),
                    NodeQuery.textOrDash(record, "reason"));
        }
        return textTable.text();
    }
}
