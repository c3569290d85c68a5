package habemus.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A recorded conversation: a story, then commands, each with what was said.
 *
 * <pre>
 *   # A sentence that says what happens.
 *   # More of the story.
 *
 *   run bully -n 5 --crash 5@0
 *   ----
 *   what was said, line by line
 *
 *   # what comes next
 *   run bully -n 5
 *   ----
 *   what was said
 * </pre>
 *
 * <p>What was said never has a blank line: the first one ends it. A command without {@code ----} is not recorded yet.
 *
 * @param origin where it was read, for complaints
 */
record Scenario(String origin, List<String> header, List<Exchange> exchanges) {

    private static final String RULE = "----";

    /**
     * One command and its answer.
     *
     * @param notes comments before the command, as they are written
     * @param line of the command, from 1
     */
    record Exchange(List<String> notes, int line, String command, List<String> answer) {
        Exchange answered(List<String> next) {
            return new Exchange(notes, line, command, next);
        }
    }

    /** The first line of the story, which says what it is about. */
    String title() {
        return uncommented(header.getFirst());
    }

    List<String> story() {
        return header.stream().skip(1).map(Scenario::uncommented).toList();
    }

    static String uncommented(String comment) {
        return comment.replaceFirst("^#\\s?", "");
    }

    /** Whoever reads it finds the same again. */
    String format() {
        var text = new StringBuilder(String.join("\n", header)).append('\n');
        for (Exchange exchange : exchanges) {
            text.append('\n');
            exchange.notes.forEach(note -> text.append(note).append('\n'));
            text.append(exchange.command).append('\n').append(RULE).append('\n');
            exchange.answer.forEach(line -> text.append(line).append('\n'));
        }
        return text.toString();
    }

    Scenario answered(List<List<String>> answers) {
        var next = new ArrayList<Exchange>();
        for (int i = 0; i < exchanges.size(); i++) {
            next.add(exchanges.get(i).answered(answers.get(i)));
        }
        return new Scenario(origin, header, next);
    }

    /** @throws Refusal naming the line that is wrong */
    static Scenario parse(String origin, String text) {
        return new Reader(origin, text.lines().map(String::stripTrailing).toList()).read();
    }

    private static final class Reader {
        private final String origin;
        private final List<String> lines;
        private int at;

        Reader(String origin, List<String> lines) {
            this.origin = origin;
            this.lines = lines;
        }

        Scenario read() {
            var header = comments();
            if (header.isEmpty()) {
                throw wrong("a scenario begins with its story", "begin the first line with # and say what happens");
            }
            var exchanges = new ArrayList<Exchange>();
            skipBlank();
            while (at < lines.size()) {
                exchanges.add(exchange());
                skipBlank();
            }
            if (exchanges.isEmpty()) {
                throw wrong("the scenario has no command", "add one, as in run bully -n 5");
            }
            return new Scenario(origin, header, List.copyOf(exchanges));
        }

        private Exchange exchange() {
            var notes = comments();
            if (at == lines.size() || !(lines.get(at) + " ").startsWith("run ")) {
                throw wrong("here a command should be", "write it as in run bully -n 5");
            }
            var command = lines.get(at++);
            int line = at;
            return new Exchange(notes, line, command, answer());
        }

        private List<String> answer() {
            if (at == lines.size() || lines.get(at).isEmpty()) {
                return List.of();
            }
            if (!lines.get(at).equals(RULE)) {
                throw wrong("after a command comes " + RULE, "put it on a line of its own, or leave a line blank");
            }
            return until(++at, String::isEmpty);
        }

        private List<String> comments() {
            return until(at, line -> !line.startsWith("#"));
        }

        private List<String> until(int from, Predicate<String> end) {
            while (at < lines.size() && !end.test(lines.get(at))) {
                at++;
            }
            return List.copyOf(lines.subList(from, at));
        }

        private void skipBlank() {
            while (at < lines.size() && lines.get(at).isEmpty()) {
                at++;
            }
        }

        private Refusal wrong(String what, String hint) {
            int line = Math.min(at + 1, Math.max(1, lines.size()));
            return Refusal.wrong(what, hint).at(origin + ":" + line);
        }
    }
}
