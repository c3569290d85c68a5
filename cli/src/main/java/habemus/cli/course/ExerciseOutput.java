package habemus.cli.course;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.course.exercise.Criterion;
import habemus.course.exercise.CriterionResult;
import habemus.course.exercise.Exercise;
import habemus.course.exercise.ExerciseMark;
import habemus.lab.diagram.text.TextDiagram;
import habemus.lab.language.Language;
import habemus.lab.table.AnsiColors;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints exercises and marks in the student's language, as text and as JSON. Reasons of the checker are English. */
record ExerciseOutput(Language language, AnsiColors colors, PrintStream out) {

    private static final int MAX_DRAWN_EVENTS = 60;

    void list(boolean json) {
        if (json) {
            var rows = new JsonArray();
            for (Exercise exercise : Exercise.values()) {
                rows.add(json(exercise));
            }
            var document = new JsonObject();
            document.add("exercises", rows);
            out.println(document);
            return;
        }
        for (Exercise exercise : Exercise.values()) {
            out.printf("%-21s %s%n", exercise, exercise.text(language).title());
        }
    }

    void show(Exercise exercise, boolean json) {
        if (json) {
            out.println(json(exercise));
            return;
        }
        out.println(exercise.text(language).task());
        out.println();
        out.println(say("File: ", "Arquivo: ") + "./habemus exercise show " + exercise + " --write "
                + exercise.className() + ".java");
        out.println(say("Hints: ", "Dicas: ") + "--hint 1 … --hint "
                + exercise.text(language).hints().size());
        out.println(say("Mark: ", "Nota: ") + "./habemus exercise check " + exercise + " " + exercise.className()
                + ".java");
    }

    private JsonObject json(Exercise exercise) {
        var text = exercise.text(language);
        var json = new JsonObject();
        json.addProperty("name", exercise.toString());
        json.addProperty("kind", exercise.kind().name().toLowerCase(Locale.ROOT));
        json.addProperty("title", text.title());
        json.addProperty("file", exercise.className() + ".java");
        json.addProperty("text", text.task());
        return json;
    }

    void hint(Exercise exercise, int number) {
        out.println(exercise.text(language).hints().get(number - 1));
    }

    void written(Exercise exercise, String file) {
        out.println(say("wrote ", "gravado: ") + file);
        out.println(say("then ", "depois ") + "./habemus exercise check " + exercise + " " + file);
    }

    void print(ExerciseMark mark, String file) {
        out.println(colors.bold(mark.exercise() + ": " + file));
        for (CriterionResult result : mark.results()) {
            var criterion = criterion(mark.exercise(), result);
            out.println();
            out.printf(
                    "%s %d/%d  %s: %s%n",
                    result.isPassed() ? "✓" : colors.red("✗"),
                    mark.points(result),
                    criterion.points(),
                    criterion.name(),
                    criterion.sentence());
            out.println("       " + result.reason());
            details(result).forEach(line -> out.println(line.isEmpty() ? "" : "       " + line));
        }
        out.println();
        out.println(colors.bold(say("mark: ", "nota: ") + mark.points() + say(" of ", " de ") + ExerciseMark.BEST));
    }

    private Criterion criterion(Exercise exercise, CriterionResult result) {
        return exercise.text(language).criteria().stream()
                .filter(each -> each.name().equals(result.criterion()))
                .findFirst()
                .orElseThrow();
    }

    /** The failing interleaving or run, and the command that shows it again. */
    private List<String> details(CriterionResult result) {
        var lines = new ArrayList<String>();
        if (!result.interleaving().isEmpty()) {
            lines.add("");
            lines.addAll(result.interleaving());
        }
        result.run().filter(run -> !run.events().isEmpty()).ifPresent(run -> {
            lines.add("");
            var drawn = TextDiagram.draw(run, colors.enabled())
                    .stripTrailing()
                    .lines()
                    .toList();
            lines.addAll(drawn.subList(0, Math.min(MAX_DRAWN_EVENTS, drawn.size())));
            if (drawn.size() > MAX_DRAWN_EVENTS) {
                lines.add("… " + (drawn.size() - MAX_DRAWN_EVENTS) + say(" more lines", " outras linhas"));
            }
        });
        if (!result.replay().isEmpty()) {
            lines.add("");
            lines.add(say("replay with  ", "repita com  ") + result.replay());
        }
        return lines;
    }

    void printJson(ExerciseMark mark, String file) {
        var results = new JsonArray();
        for (CriterionResult result : mark.results()) {
            var criterion = criterion(mark.exercise(), result);
            var json = new JsonObject();
            json.addProperty("criterion", criterion.name());
            json.addProperty("points", mark.points(result));
            json.addProperty("of", criterion.points());
            json.addProperty("sentence", criterion.sentence());
            json.addProperty("reason", result.reason());
            json.addProperty("interleaving", String.join("\n", details(result)).strip());
            json.addProperty("replay", result.replay());
            results.add(json);
        }
        var json = new JsonObject();
        json.addProperty("exercise", mark.exercise().toString());
        json.addProperty("file", file);
        json.addProperty("mark", mark.points());
        json.addProperty("of", ExerciseMark.BEST);
        json.add("criteria", results);
        out.println(json);
    }

    private String say(String english, String portuguese) {
        return language == Language.PORTUGUESE ? portuguese : english;
    }
}
