package habemus.lab.benchmark;

import java.util.Optional;

/**
 * A Markdown page with a section between two comments that name the command which writes it.
 *
 * @param text the whole page
 */
public record MarkdownSection(String text, String command) {

    /** The two markers, for error messages. */
    public static String markers(String command) {
        return begin(command) + " and " + end(command);
    }

    /** Empty if the page has no section for this command. */
    public static Optional<MarkdownSection> find(String text, String command) {
        int begin = text.indexOf(begin(command));
        boolean found = begin >= 0 && text.indexOf(end(command)) > begin;
        return found ? Optional.of(new MarkdownSection(text, command)) : Optional.empty();
    }

    /** The page with this content in the section. */
    public String replaceWith(String content) {
        var before =
                text.substring(0, text.indexOf(begin(command)) + begin(command).length());
        return before + "\n" + content + text.substring(text.indexOf(end(command)));
    }

    private static String begin(String command) {
        return "<!-- begin: " + command + " -->";
    }

    private static String end(String command) {
        return "<!-- end: " + command + " -->";
    }
}
