package habemus.cli.admin;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.Terminal;
import habemus.lab.command.ExitCode;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus deadlocks}: cycles of clients that wait for each other. */
public final class DeadlocksCommand implements Subcommand {

    @Override
    public String name() {
        return "deadlocks";
    }

    @Override
    public String summary() {
        return "Lists cycles of clients that wait for each other. Exit code 1 if there are some.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return NodeQuery.syntax(this).examples("habemus deadlocks");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var answer = ServiceClient.of(parsed).get("/deadlocks");
        NodeQuery.print(parsed, answer, terminal, DeadlocksCommand::text);
        return answer.getAsJsonArray("deadlocks").isEmpty() ? ExitCode.OK : ExitCode.VIOLATED;
    }

    private static String text(JsonObject answer) {
        var deadlocks = answer.getAsJsonArray("deadlocks");
        if (deadlocks.isEmpty()) {
            return "no deadlocks\n";
        }
        var text = new StringBuilder();
        for (JsonElement element : deadlocks) {
            appendCycle(text, element.getAsJsonObject().getAsJsonArray("cycle"));
        }
        return text + "habemus sessions expire SESSION --reason TEXT breaks a cycle\n";
    }

    private static void appendCycle(StringBuilder text, JsonArray cycle) {
        for (JsonElement element : cycle) {
            var wait = element.getAsJsonObject();
            text.append(NodeQuery.textOrDash(wait, "client"))
                    .append(" at ")
                    .append(NodeQuery.textOrDash(wait, "node"))
                    .append(" waits for ")
                    .append(NodeQuery.textOrDash(wait, "resource"))
                    .append(", held by ")
                    .append(NodeQuery.textOrDash(wait, "holder"))
                    .append(" at ")
                    .append(NodeQuery.textOrDash(wait, "holderNode"))
                    .append('\n');
        }
        text.append('\n');
    }
}
