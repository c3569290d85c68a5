package habemus.course.exercise;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The text of an exercise in one language. The file is Markdown: a title, the task, and at the end a section of
 * criteria and a section of hints. A criterion is {@code - 4 name: sentence}, a hint {@code 1. sentence}.
 *
 * @param task all that the student reads first: without the hints
 */
public record ExerciseText(String title, String task, List<Criterion> criteria, List<String> hints) {

    private static final Pattern CRITERION = Pattern.compile("- (\\d+) `([a-z-]+)`: (.*)");
    private static final Pattern HINT = Pattern.compile("\\d+\\. (.*)");

    public ExerciseText {
        criteria = List.copyOf(criteria);
        hints = List.copyOf(hints);
    }

    static ExerciseText parse(String markdown) {
        int lastSection = markdown.lastIndexOf("\n## ");
        var task = markdown.substring(0, lastSection).strip();
        var criteria = items(task)
                .map(CRITERION::matcher)
                .filter(Matcher::matches)
                .map(match -> new Criterion(match.group(2), Integer.parseInt(match.group(1)), match.group(3)))
                .toList();
        var hints = items(markdown.substring(lastSection))
                .map(HINT::matcher)
                .filter(Matcher::matches)
                .map(match -> match.group(1))
                .toList();
        var title = task.lines().findFirst().orElseThrow().replaceFirst("^# ", "");
        return new ExerciseText(title, task, criteria, hints);
    }

    /** The lines of a text, with the indented lines below an item joined to it. */
    private static Stream<String> items(String text) {
        var items = new ArrayList<String>();
        for (String line : text.lines().toList()) {
            if (line.startsWith("  ") && !items.isEmpty()) {
                items.set(items.size() - 1, items.getLast() + " " + line.strip());
            } else {
                items.add(line);
            }
        }
        return items.stream();
    }
}
