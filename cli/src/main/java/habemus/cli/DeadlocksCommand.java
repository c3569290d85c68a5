package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus deadlocks}: who waits for each other. */
final class DeadlocksCommand implements Command {

    @Override
    public String name() {
        return "deadlocks";
    }

    @Override
    public String summary() {
        return "Shows clients that wait for each other in a circle. Exit code 1 if there are some.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        return Asked.sheet(this).example("habemus deadlocks");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var answer = Door.of(parsed).get("/deadlocks");
        Asked.show(parsed, answer, terminal, DeadlocksCommand::text);
        return answer.getAsJsonArray("deadlocks").isEmpty() ? ExitCode.DONE : ExitCode.VIOLATED;
    }

    private static String text(JsonObject answer) {
        var deadlocks = answer.getAsJsonArray("deadlocks");
        if (deadlocks.isEmpty()) {
            return "nobody waits in a circle\n";
        }
        var text = new StringBuilder();
        for (JsonElement each : deadlocks) {
            circle(text, each.getAsJsonObject().getAsJsonArray("circle"));
        }
        return text + "habemus sessions expire SESSION --reason TEXT ends one of them\n";
    }

    private static void circle(StringBuilder text, JsonArray circle) {
        for (JsonElement each : circle) {
            var wait = each.getAsJsonObject();
            text.append(Asked.text(wait, "client"))
                    .append(" at ")
                    .append(Asked.text(wait, "node"))
                    .append(" waits for ")
                    .append(Asked.text(wait, "wants"))
                    .append(", because of ")
                    .append(Asked.text(wait, "holder"))
                    .append(" at ")
                    .append(Asked.text(wait, "holderNode"))
                    .append('\n');
        }
        text.append('\n');
    }
}
