package habemus.cli.admin;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.terminal.ExitCode;
import habemus.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.ParseResult;

/** What the commands have in common that ask a running node one thing, and show what it answers. */
public final class NodeQuery {

    private static final String SECTION = "Options:";

    private NodeQuery() {}

    static CommandSyntax syntax(Command command) {
        return syntax(command, "[options]");
    }

    static CommandSyntax syntax(Command command, String arguments) {
        return ServiceClient.addOptions(new CommandSyntax(command, arguments))
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .helpOption(SECTION);
    }

    static int getAndPrint(ParseResult parsed, String path, Terminal terminal, Function<JsonObject, String> formatter) {
        return print(parsed, ServiceClient.of(parsed).get(path), terminal, formatter);
    }

    static int print(ParseResult parsed, JsonObject answer, Terminal terminal, Function<JsonObject, String> formatter) {
        if (parsed.hasMatchedOption("--json")) {
            terminal.out().println(answer);
        } else {
            terminal.out().print(formatter.apply(answer));
        }
        return ExitCode.OK;
    }

    /** The words that are said without an option. */
    public static List<String> arguments(ParseResult parsed) {
        return parsed.matchedPositionals().isEmpty()
                ? List.of()
                : parsed.matchedPositionals().getFirst().stringValues();
    }

    /** The one word, if there is one. */
    static Optional<String> firstArgument(ParseResult parsed) {
        return arguments(parsed).stream().findFirst();
    }

    /** A dash stands for what is not known. */
    public static String textOrDash(JsonObject object, String member) {
        return object.get(member).isJsonNull() ? "-" : object.get(member).getAsString();
    }

    /** Who waits, and where: {@code b at n3, c at n1}. */
    static String formatWaiters(JsonArray waiters) {
        var names = new ArrayList<String>();
        waiters.forEach(each -> {
            var waiter = each.getAsJsonObject();
            names.add(textOrDash(waiter, "client") + " at " + textOrDash(waiter, "node"));
        });
        return names.isEmpty() ? "-" : String.join(", ", names);
    }

    /** Who could not be asked. */
    static String unreachableNote(JsonObject answer) {
        var silent = answer.getAsJsonArray("silent");
        if (silent.isEmpty()) {
            return "";
        }
        var names = new ArrayList<String>();
        silent.forEach(name -> names.add(name.getAsString()));
        return "\nnot told by " + String.join(", ", names) + ", who did not answer in time\n";
    }
}
