package habemus.cli;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import habemus.lab.table.Table;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.ParseResult;

/** {@code habemus sessions}: all clients of the service, and the end of one. */
final class SessionsCommand implements Command {

    private static final String EXAMPLE = "habemus sessions expire 4711 --reason 'its machine is gone'";

    @Override
    public String name() {
        return "sessions";
    }

    @Override
    public String summary() {
        return "Shows all clients of the service, what each holds and waits for; or ends one of them.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        return Order.sheet(this, "[expire SESSION --reason TEXT] [options]").example("habemus sessions", EXAMPLE);
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        if (Asked.words(parsed).isEmpty()) {
            return Asked.answer(parsed, "/sessions", terminal, SessionsCommand::table);
        }
        if (!Asked.words(parsed).getFirst().equals("expire")) {
            throw Refusal.wrong("'" + Asked.words(parsed).getFirst() + "' is not known", "write it as in " + EXAMPLE);
        }
        var session = Order.word(parsed, 1, "session", EXAMPLE);
        return Order.carryOut(parsed, "/sessions/" + Door.encode(session) + "/expire", Order.body(parsed), terminal);
    }

    private static String table(JsonObject answer) {
        var sessions = answer.getAsJsonArray("sessions");
        if (sessions.isEmpty()) {
            return "there is no client\n";
        }
        var table = new Table("session", "client", "at", "lease", "holds", "waits for");
        for (JsonElement each : sessions) {
            var session = each.getAsJsonObject();
            table.row(
                    Asked.text(session, "session"),
                    Asked.text(session, "client"),
                    Asked.text(session, "node"),
                    Asked.text(session, "lease") + " ms",
                    names(session, "holds"),
                    names(session, "waits"));
        }
        return table.text();
    }

    private static String names(JsonObject session, String member) {
        var names = session.getAsJsonArray(member).asList().stream()
                .map(JsonElement::getAsString)
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "-" : names;
    }
}
