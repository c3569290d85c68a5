package habemus.cli.admin;

import com.google.gson.JsonObject;
import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.NumberOptions;
import habemus.cli.options.OutputOptions;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.Terminal;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** What the commands have in common by which an operator interferes: who it is and why is kept by the service. */
final class AdminRequest {

    private static final String SECTION = "What is kept of it:";

    private AdminRequest() {}

    static CommandSyntax syntax(Command command, String arguments) {
        return NodeQuery.syntax(command, arguments)
                .positionals("NAME", true)
                .value(SECTION, "--reason", "TEXT", "why")
                .value(SECTION, "--operator", "NAME", "who does it (standard: the user of this machine)");
    }

    /** The word of this place. */
    static String requireArgument(ParseResult parsed, int index, String label, String example) {
        var words = NodeQuery.arguments(parsed);
        if (words.size() <= index) {
            throw CommandException.usage("there is no " + label, "write it as in " + example);
        }
        return words.get(index);
    }

    static JsonObject body(ParseResult parsed) {
        NumberOptions.require(parsed, "--reason", "'its machine is on fire'");
        var body = new JsonObject();
        body.addProperty(
                "operator",
                OutputOptions.text(parsed, "--operator").orElse(System.getProperty("user.name", "operator")));
        body.addProperty("reason", OutputOptions.text(parsed, "--reason").orElseThrow());
        return body;
    }

    /** For orders that are meant for whoever has it now, and not for the next one. */
    static CommandSyntax withFenceOption(CommandSyntax commandSyntax) {
        return commandSyntax.value(
                "Whom it is meant for:",
                "--fence",
                "N",
                "who has it by this fence, or term, and not the next one (standard: whoever has it now)");
    }

    /** Looks who is there, so that the order does not meet another if it comes late, or twice. */
    static JsonObject bodyWithFence(ParseResult parsed, String path) {
        var body = body(parsed);
        body.addProperty(
                "fence",
                parsed.hasMatchedOption("--fence")
                        ? OutputOptions.number(parsed, "--fence", 12)
                        : latestFence(ServiceClient.of(parsed).get(path)));
        if (body.get("fence").getAsLong() == 0) {
            throw CommandException.usage(
                    "nobody has it by a fence", "habemus locks and habemus leaders show who has what");
        }
        return body;
    }

    private static long latestFence(JsonObject thing) {
        long latest = 0;
        for (var member : List.of("fence", "term")) {
            latest = thing.has(member) && !thing.get(member).isJsonNull()
                    ? thing.get(member).getAsLong()
                    : latest;
        }
        for (var member : List.of("holders", "others")) {
            if (thing.has(member)) {
                for (var holder : thing.getAsJsonArray(member)) {
                    latest = Math.max(latest, latestFence(holder.getAsJsonObject()));
                }
            }
        }
        return latest;
    }

    /** Has it done, and tells what came of it. */
    static int send(ParseResult parsed, String path, JsonObject body, Terminal terminal) {
        return NodeQuery.print(parsed, ServiceClient.of(parsed).post(path, body), terminal, AdminRequest::describe);
    }

    private static String describe(JsonObject audit) {
        return NodeQuery.textOrDash(audit, "order") + ": " + NodeQuery.textOrDash(audit, "effect") + " (entry "
                + NodeQuery.textOrDash(audit, "index") + " of the log)\n";
    }

    /** One kind of thing has one path. */
    static String resourcePath(ParseResult parsed, List<String> kinds, String name) {
        for (String kind : kinds) {
            if (parsed.hasMatchedOption("--" + kind)) {
                return "/" + (kind.equals("election") ? "leaders" : kind + "s") + "/" + ServiceClient.encode(name);
            }
        }
        return "/locks/" + ServiceClient.encode(name);
    }
}
