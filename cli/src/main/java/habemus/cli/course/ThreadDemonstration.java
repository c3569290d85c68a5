package habemus.cli.course;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.TwoColumnText;
import habemus.course.threads.ThreadKind;
import habemus.lab.command.ValueType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ParseResult;

/** A program of {@code habemus threads}: runs on the real JVM and shows a claim with its numbers. */
interface ThreadDemonstration {

    /** The section of the help that holds the options of a program. */
    String SECTION = "Options:";

    String name();

    /** The claim that the program shows, one sentence. */
    String claim();

    CommandSyntax addOptions(CommandSyntax syntax);

    Finding run(ParseResult parsed, ProgressLine progress);

    /**
     * What a program found.
     *
     * @param body tables and drawings
     * @param notes a term and its explanation each, below the body
     * @param isAsClaimed whether nothing contradicts the claim
     */
    record Finding(String body, Map<String, String> notes, JsonObject json, boolean isAsClaimed) {

        String text(String claim) {
            var text = new TwoColumnText(0, 12).line(claim).line("").line(body.stripTrailing());
            if (!notes.isEmpty()) {
                text.line("");
            }
            notes.forEach(text::row);
            return text.toString();
        }
    }

    /** A JSON object with the components of a record. */
    static JsonObject json(Object values) {
        return new Gson().toJsonTree(values).getAsJsonObject();
    }

    /** The same, with the command that checks every interleaving. */
    static JsonObject json(Object values, String checker) {
        var json = json(values);
        json.addProperty("checker", checker);
        return json;
    }

    /** Notes in the order of this list: term, explanation, term, explanation … */
    static Map<String, String> notes(String... texts) {
        var notes = new LinkedHashMap<String, String>();
        for (int i = 0; i < texts.length; i += 2) {
            notes.put(texts[i], texts[i + 1]);
        }
        return notes;
    }

    static CommandSyntax addKind(CommandSyntax syntax, String defaultKind) {
        var kinds = ValueType.choice("platform", "virtual", "both").withDefault(defaultKind);
        return syntax.value(SECTION, "--kind", "KIND", kinds, "kind of the threads: platform, virtual or both");
    }

    static List<ThreadKind> kinds(ParseResult parsed) {
        String kind = ParsedOptions.get(parsed, "--kind");
        return List.of(ThreadKind.values()).stream()
                .filter(one -> kind.equals("both") || kind.equals(one.toString()))
                .toList();
    }
}
