package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.ParseResult;

/** What the commands have in common that ask a running node one thing, and show what it answers. */
final class Asked {

    private static final String SECTION = "Options:";

    private Asked() {}

    static Sheet sheet(Command command) {
        return sheet(command, "[options]");
    }

    static Sheet sheet(Command command, String arguments) {
        return Door.add(new Sheet(command, arguments))
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .help(SECTION);
    }

    static int answer(ParseResult parsed, String path, Terminal terminal, Function<JsonObject, String> words) {
        return show(parsed, Door.of(parsed).get(path), terminal, words);
    }

    static int show(ParseResult parsed, JsonObject answer, Terminal terminal, Function<JsonObject, String> words) {
        if (parsed.hasMatchedOption("--json")) {
            terminal.out().println(answer);
        } else {
            terminal.out().print(words.apply(answer));
        }
        return ExitCode.DONE;
    }

    /** The words that are said without an option. */
    static List<String> words(ParseResult parsed) {
        return parsed.matchedPositionals().isEmpty()
                ? List.of()
                : parsed.matchedPositionals().getFirst().stringValues();
    }

    /** The one word, if there is one. */
    static Optional<String> word(ParseResult parsed) {
        return words(parsed).stream().findFirst();
    }

    /** A dash stands for what is not known. */
    static String text(JsonObject object, String member) {
        return object.get(member).isJsonNull() ? "-" : object.get(member).getAsString();
    }

    /** Who waits, and where: {@code b at n3, c at n1}. */
    static String waiters(JsonArray waiters) {
        var names = new ArrayList<String>();
        waiters.forEach(each -> {
            var waiter = each.getAsJsonObject();
            names.add(text(waiter, "client") + " at " + text(waiter, "node"));
        });
        return names.isEmpty() ? "-" : String.join(", ", names);
    }

    /** Who could not be asked. */
    static String silent(JsonObject answer) {
        var silent = answer.getAsJsonArray("silent");
        if (silent.isEmpty()) {
            return "";
        }
        var names = new ArrayList<String>();
        silent.forEach(name -> names.add(name.getAsString()));
        return "\nnot told by " + String.join(", ", names) + ", who did not answer in time\n";
    }
}
