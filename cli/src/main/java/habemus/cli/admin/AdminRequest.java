package habemus.cli.admin;

import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.Terminal;
import habemus.lab.command.CommandException;
import habemus.lab.command.NumberOptions;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** Administrative requests: the service records the operator and the reason of each in its audit log. */
final class AdminRequest {

    private static final String SECTION = "Audit:";

    private AdminRequest() {}

    static CommandSyntax syntax(Subcommand command, String arguments) {
        return withAuditOptions(NodeQuery.syntax(command, arguments).positionals("NAME", true));
    }

    static CommandSyntax withAuditOptions(CommandSyntax syntax) {
        return syntax.value(SECTION, "--reason", "TEXT", "reason for the audit log")
                .value(SECTION, "--operator", "NAME", "operator for the audit log (default: the user name)");
    }

    /** For requests that may do without a reason: they take nothing from a client. */
    static String query(ParseResult parsed) {
        var reason = ParsedOptions.text(parsed, "--reason").map(text -> "&reason=" + ServiceClient.encode(text));
        return "?operator=" + ServiceClient.encode(operator(parsed)) + reason.orElse("");
    }

    private static String operator(ParseResult parsed) {
        return ParsedOptions.text(parsed, "--operator").orElse(System.getProperty("user.name", "operator"));
    }

    /** @throws CommandException if the argument is missing */
    static String requireArgument(ParseResult parsed, int index, String label, String example) {
        var arguments = ParsedOptions.arguments(parsed);
        if (arguments.size() <= index) {
            throw CommandException.usage(label + " is missing", example);
        }
        return arguments.get(index);
    }

    static JsonObject body(ParseResult parsed) {
        ParsedOptions.require(parsed, "--reason", "'host down'");
        var body = new JsonObject();
        body.addProperty("operator", operator(parsed));
        body.addProperty("reason", ParsedOptions.text(parsed, "--reason").orElseThrow());
        return body;
    }

    /** Adds {@code --fence}: the request applies to the current holder, never to the next one. */
    static CommandSyntax withFenceOption(CommandSyntax syntax) {
        return syntax.value(
                "Target:",
                "--fence",
                "N",
                NumberOptions.count(),
                "applies only to the holder with this fence or term (default: the current one)");
    }

    /** Names the current fence, so that a late or repeated request cannot hit the next holder. */
    static JsonObject bodyWithFence(ParseResult parsed, String path) {
        var body = body(parsed);
        body.addProperty(
                "fence",
                ParsedOptions.<Long>find(parsed, "--fence")
                        .orElseGet(() -> latestFence(ServiceClient.of(parsed).get(path))));
        if (body.get("fence").getAsLong() == 0) {
            throw CommandException.usage("no holder", "habemus locks and habemus leaders list the holders");
        }
        return body;
    }

    private static long latestFence(JsonObject resource) {
        long latest = 0;
        for (var member : List.of("fence", "term")) {
            latest = resource.has(member) && !resource.get(member).isJsonNull()
                    ? resource.get(member).getAsLong()
                    : latest;
        }
        for (var member : List.of("holders", "otherHolders")) {
            if (resource.has(member)) {
                for (var holder : resource.getAsJsonArray(member)) {
                    latest = Math.max(latest, latestFence(holder.getAsJsonObject()));
                }
            }
        }
        return latest;
    }

    /** Sends the request and prints the audit record of it. */
    static int send(ParseResult parsed, String path, JsonObject body, Terminal terminal) {
        return NodeQuery.print(parsed, ServiceClient.of(parsed).post(path, body), terminal, AdminRequest::describe);
    }

    private static String describe(JsonObject audit) {
        return NodeQuery.textOrDash(audit, "command") + ": " + NodeQuery.textOrDash(audit, "effect") + " (log index "
                + NodeQuery.textOrDash(audit, "index") + ")\n";
    }

    /** The path of the lock, or of the kind that an option names. */
    static String resourcePath(ParseResult parsed, List<String> kinds, String name) {
        for (String kind : kinds) {
            if (parsed.hasMatchedOption("--" + kind)) {
                return "/" + (kind.equals("election") ? "leaders" : kind + "s") + "/" + ServiceClient.encode(name);
            }
        }
        return "/locks/" + ServiceClient.encode(name);
    }
}
