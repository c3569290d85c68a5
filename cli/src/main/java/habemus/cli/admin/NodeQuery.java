package habemus.cli.admin;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.Terminal;
import habemus.lab.command.ExitCode;
import java.util.ArrayList;
import java.util.function.Function;
import picocli.CommandLine.ParseResult;

/** Commands that send one request to a running node and print the response. */
public final class NodeQuery {

    private static final String SECTION = "Options:";

    private NodeQuery() {}

    static CommandSyntax syntax(Subcommand command) {
        return syntax(command, "[options]");
    }

    static CommandSyntax syntax(Subcommand command, String arguments) {
        return ServiceClient.addOptions(new CommandSyntax(command, arguments))
                .jsonFlag(SECTION)
                .helpOption(SECTION);
    }

    static int getAndPrint(ParseResult parsed, String path, Terminal terminal, Function<JsonObject, String> formatter) {
        return print(parsed, ServiceClient.of(parsed).get(path), terminal, formatter);
    }

    /** Prints a listing page by page; with {@code --json} as one document. */
    static int listAndPrint(
            ParseResult parsed, String path, Terminal terminal, Function<JsonObject, String> formatter) {
        var listing = Listing.of(parsed);
        if (parsed.hasMatchedOption("--json")) {
            terminal.out().println(listing.whole(path));
        } else {
            listing.print(path, terminal, formatter);
        }
        return ExitCode.OK;
    }

    static int print(ParseResult parsed, JsonObject answer, Terminal terminal, Function<JsonObject, String> formatter) {
        if (parsed.hasMatchedOption("--json")) {
            terminal.out().println(answer);
        } else {
            terminal.out().print(formatter.apply(answer) + staleNote(answer));
        }
        return ExitCode.OK;
    }

    /** The text of a member; a dash for {@code null}. */
    public static String textOrDash(JsonObject object, String member) {
        return object.get(member).isJsonNull() ? "-" : object.get(member).getAsString();
    }

    /** What the lock service keeps its state in, and whether the node can reach it. Empty for classic nodes. */
    static String log(JsonObject answer) {
        if (answer.get("log").isJsonNull()) {
            return "";
        }
        var log = answer.getAsJsonObject("log");
        var problem = textOrDash(log, "problem");
        return "log: " + textOrDash(log, "engine") + (problem.equals("-") ? "" : "; PROBLEM: " + problem) + "\n";
    }

    /** The waiters in queue order: {@code b at n3, c at n1}. */
    static String formatWaiters(JsonArray waiters) {
        var names = new ArrayList<String>();
        waiters.forEach(element -> {
            var waiter = element.getAsJsonObject();
            names.add(textOrDash(waiter, "client") + " at " + textOrDash(waiter, "node"));
        });
        return names.isEmpty() ? "-" : String.join(", ", names);
    }

    /** Says since when the answer may be old, if it may be. */
    static String staleNote(JsonObject answer) {
        var since = answer.get("staleSince");
        return since == null || since.isJsonNull()
                ? ""
                : "\nMAY BE OLD: the node was last certainly current at " + since.getAsString() + "\n";
    }

    /** Names the nodes that did not reply. */
    static String unreachableNote(JsonObject answer) {
        var unreachable = answer.getAsJsonArray("unreachable");
        if (unreachable.isEmpty()) {
            return "";
        }
        var names = new ArrayList<String>();
        unreachable.forEach(name -> names.add(name.getAsString()));
        return "\nno reply from " + String.join(", ", names) + "\n";
    }
}
