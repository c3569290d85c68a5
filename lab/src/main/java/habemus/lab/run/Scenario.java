package habemus.lab.run;

import habemus.lab.command.CommandException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A scenario: a description, then commands, each with its recorded output.
 *
 * <pre>
 *   # A title in one line.
 *   # More description.
 *
 *   run bully -n 5 --crash 5@0
 *   ----
 *   the output, line by line
 *
 *   # a note
 *   run bully -n 5
 *   ----
 *   the output
 * </pre>
 *
 * <p>A blank line ends the output. A command without {@code ----} is not recorded yet.
 *
 * @param origin the file or gallery name, for error messages
 */
public record Scenario(String origin, List<String> header, List<RecordedCommand> recordedCommands) {

    private static final String SEPARATOR = "----";

    /**
     * A command and its recorded output.
     *
     * @param notes the comment lines before the command
     * @param line the line number of the command, from 1
     */
    public record RecordedCommand(List<String> notes, int line, String command, List<String> output) {
        RecordedCommand withOutput(List<String> next) {
            return new RecordedCommand(notes, line, command, next);
        }
    }

    /** The first line of the description. */
    public String title() {
        return uncommented(header.getFirst());
    }

    /** The names of the algorithms that it runs. */
    public Set<String> algorithms() {
        var names = new LinkedHashSet<String>();
        recordedCommands.forEach(one -> names.add(one.command.split(" ", 3)[1]));
        return names;
    }

    public List<String> story() {
        return header.stream().skip(1).map(Scenario::uncommented).toList();
    }

    public static String uncommented(String comment) {
        return comment.replaceFirst("^#\\s?", "");
    }

    /** The text of the scenario file; {@link #parse} reads it back. */
    public String format() {
        var text = new StringBuilder(String.join("\n", header)).append('\n');
        for (RecordedCommand recordedCommand : recordedCommands) {
            text.append('\n');
            recordedCommand.notes.forEach(note -> text.append(note).append('\n'));
            text.append(recordedCommand.command).append('\n').append(SEPARATOR).append('\n');
            recordedCommand.output.forEach(line -> text.append(line).append('\n'));
        }
        return text.toString();
    }

    Scenario withOutputs(List<List<String>> answers) {
        var next = new ArrayList<RecordedCommand>();
        for (int i = 0; i < recordedCommands.size(); i++) {
            next.add(recordedCommands.get(i).withOutput(answers.get(i)));
        }
        return new Scenario(origin, header, next);
    }

    /** @throws CommandException with the line of the error */
    public static Scenario parse(String origin, String text) {
        return new Parser(origin, text.lines().map(String::stripTrailing).toList()).parse();
    }

    private static final class Parser {
        private final String origin;
        private final List<String> lines;
        private int position;

        Parser(String origin, List<String> lines) {
            this.origin = origin;
            this.lines = lines;
        }

        Scenario parse() {
            var header = comments();
            if (header.isEmpty()) {
                throw syntaxError("a scenario starts with a description", "start the first line with #");
            }
            var recordedCommands = new ArrayList<RecordedCommand>();
            skipBlank();
            while (position < lines.size()) {
                recordedCommands.add(command());
                skipBlank();
            }
            if (recordedCommands.isEmpty()) {
                throw syntaxError("the scenario has no command", "add a line such as run bully -n 5");
            }
            return new Scenario(origin, header, List.copyOf(recordedCommands));
        }

        private RecordedCommand command() {
            var notes = comments();
            if (position == lines.size() || !(lines.get(position) + " ").startsWith("run ")) {
                throw syntaxError("command expected", "write run bully -n 5");
            }
            var command = lines.get(position++);
            int line = position;
            return new RecordedCommand(notes, line, command, output());
        }

        private List<String> output() {
            if (position == lines.size() || lines.get(position).isEmpty()) {
                return List.of();
            }
            if (!lines.get(position).equals(SEPARATOR)) {
                throw syntaxError(
                        SEPARATOR + " expected after a command", "add a line " + SEPARATOR + ", or leave a blank line");
            }
            return takeUntil(++position, String::isEmpty);
        }

        private List<String> comments() {
            return takeUntil(position, line -> !line.startsWith("#"));
        }

        private List<String> takeUntil(int from, Predicate<String> end) {
            while (position < lines.size() && !end.test(lines.get(position))) {
                position++;
            }
            return List.copyOf(lines.subList(from, position));
        }

        private void skipBlank() {
            while (position < lines.size() && lines.get(position).isEmpty()) {
                position++;
            }
        }

        private CommandException syntaxError(String what, String hint) {
            int line = Math.min(position + 1, Math.max(1, lines.size()));
            return CommandException.usage(what, hint).withLocation(origin + ":" + line);
        }
    }
}
