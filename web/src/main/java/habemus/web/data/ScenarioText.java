package habemus.web.data;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.catalogue.Catalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The scenarios of the gallery. Of the recorded output only the outcome is kept: the page computes the events itself.
 *
 * <pre>
 * {"bully-five": {"title", "problem", "story": [line], "runs": [{"notes": [line], "command", "outcome": [line]}],
 *                 "pt": {"title", "story": [line], "notes": [[line]]}}}
 * </pre>
 *
 * <p>The file {@code pt/bully-five.txt} has the title, the story and the notes in Portuguese, with a line {@code run}
 * for each run.
 */
public final class ScenarioText {

    private static final String SUFFIX = ".scenario";
    private static final String RUN = "run";
    private static final String SEPARATOR = "----";

    private ScenarioText() {}

    /** Sorted by name. */
    public static JsonObject readAll(Path folder) throws IOException {
        var json = new JsonObject();
        try (var files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                var name = file.getFileName().toString();
                if (name.endsWith(SUFFIX)) {
                    var scenario = name.substring(0, name.length() - SUFFIX.length());
                    var entry = read(Files.readAllLines(file));
                    entry.add("pt", readTranslation(Files.readAllLines(folder.resolve("pt/" + scenario + ".txt"))));
                    json.add(scenario, entry);
                }
            }
        }
        return json;
    }

    static JsonObject read(List<String> lines) {
        var comments = Comments.of(lines);
        var runs = new JsonArray();
        for (int run = 0; run < comments.runLines.size(); run++) {
            int line = comments.runLines.get(run);
            var command = lines.get(line).substring(RUN.length()).strip();
            runs.add(run(comments.notes.get(run), command, outcome(lines, line + 1)));
        }
        var json = comments.json();
        json.addProperty(
                "problem", problem(runs.get(0).getAsJsonObject().get("command").getAsString()));
        json.add("runs", runs);
        return json;
    }

    static JsonObject readTranslation(List<String> lines) {
        var comments = Comments.of(lines);
        var notes = new JsonArray();
        comments.notes.forEach(notes::add);
        var json = comments.json();
        json.add("notes", notes);
        return json;
    }

    /**
     * What a file tells about its runs.
     *
     * @param story its first line is the title
     * @param notes the lines before each run
     * @param runLines the index of the line of each run
     */
    private record Comments(List<String> story, List<JsonArray> notes, List<Integer> runLines) {

        static Comments of(List<String> lines) {
            var comments = new Comments(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            var pending = new ArrayList<String>();
            for (int i = 0; i < lines.size(); i++) {
                var line = lines.get(i);
                if (line.startsWith("#")) {
                    pending.add(line.replaceFirst("^#\\s?", ""));
                } else if (line.equals(RUN) || line.startsWith(RUN + " ")) {
                    comments.notes.add(array(pending));
                    comments.runLines.add(i);
                    pending.clear();
                } else if (line.isEmpty() && comments.story.isEmpty()) {
                    comments.story.addAll(pending);
                    pending.clear();
                }
            }
            return comments;
        }

        JsonObject json() {
            var json = new JsonObject();
            json.addProperty("title", story.getFirst());
            json.add("story", array(story.subList(1, story.size())));
            return json;
        }
    }

    private static JsonArray array(List<String> lines) {
        var array = new JsonArray();
        lines.forEach(array::add);
        return array;
    }

    private static JsonObject run(JsonArray notes, String command, List<String> outcome) {
        var json = new JsonObject();
        json.add("notes", notes);
        json.addProperty("command", command);
        json.add("outcome", array(outcome));
        return json;
    }

    /** The lines of the summary: those of events are indented. */
    private static List<String> outcome(List<String> lines, int from) {
        return lines.subList(from, lines.size()).stream()
                .takeWhile(line -> !line.isEmpty())
                .filter(line -> !line.startsWith(" ") && !line.equals(SEPARATOR))
                .toList();
    }

    private static String problem(String command) {
        return Catalogue.find(command.split(" ", 2)[0])
                .map(algorithm -> algorithm.problem().toString())
                .orElse("");
    }
}
