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
import java.util.stream.Collectors;
import picocli.CommandLine.ParseResult;

/** {@code habemus sessions}: lists the client sessions, or expires one. */
public final class SessionsCommand implements Subcommand {

    private static final String EXAMPLE = "habemus sessions expire 4711 --reason 'host down'";

    @Override
    public String name() {
        return "sessions";
    }

    @Override
    public String summary() {
        return "Lists the client sessions with what they hold and wait for; or expires one.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return Listing.withLimit(AdminRequest.syntax(this, "[expire SESSION --reason TEXT] [options]"))
                .examples("habemus sessions", EXAMPLE);
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        if (ParsedOptions.arguments(parsed).isEmpty()) {
            return NodeQuery.listAndPrint(parsed, "sessions", terminal, SessionsCommand::table);
        }
        if (!ParsedOptions.arguments(parsed).getFirst().equals("expire")) {
            throw CommandException.usage(
                    "unknown action: '" + ParsedOptions.arguments(parsed).getFirst() + "'", EXAMPLE);
        }
        var session = AdminRequest.requireArgument(parsed, 1, "SESSION", EXAMPLE);
        return AdminRequest.send(
                parsed, "/sessions/" + ServiceClient.encode(session) + "/expire", AdminRequest.body(parsed), terminal);
    }

    private static String table(JsonObject answer) {
        var sessions = answer.getAsJsonArray("sessions");
        if (sessions.isEmpty()) {
            return "no sessions\n";
        }
        var textTable = new TextTable("session", "client", "at", "lease", "holds", "waits for");
        for (JsonElement element : sessions) {
            var session = element.getAsJsonObject();
            textTable.row(
                    NodeQuery.textOrDash(session, "session"),
                    NodeQuery.textOrDash(session, "client"),
                    NodeQuery.textOrDash(session, "node"),
                    NodeQuery.textOrDash(session, "lease") + " ms",
                    names(session, "holds"),
                    names(session, "waitsFor"));
        }
        return textTable.text();
    }

    private static String names(JsonObject session, String member) {
        var names = session.getAsJsonArray(member).asList().stream()
                .map(JsonElement::getAsString)
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "-" : names;
    }
}
