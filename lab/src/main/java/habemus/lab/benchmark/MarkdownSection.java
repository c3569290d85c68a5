package habemus.lab.benchmark;

import java.util.Optional;

/**
 * A page of Markdown with a place for what a command measured, between two comments that name the command.
 *
 * @param text of all the page
 */
public record MarkdownSection(String text, String command) {

    /** What to put there, so that the page has a place. */
    public static String markers(String command) {
        return begin(command) + " and " + end(command);
    }

    /** Nothing if there is no place for this command. */
    public static Optional<MarkdownSection> find(String text, String command) {
        int begin = text.indexOf(begin(command));
        boolean there = begin >= 0 && text.indexOf(end(command)) > begin;
        return there ? Optional.of(new MarkdownSection(text, command)) : Optional.empty();
    }

    /** The page with this instead of what stood there. */
    public String replaceWith(String measured) {
        var before =
                text.substring(0, text.indexOf(begin(command)) + begin(command).length());
        return before + "\n" + measured + text.substring(text.indexOf(end(command)));
    }

    private static String begin(String command) {
        return "<!-- begin: " + command + " -->";
    }

    private static String end(String command) {
        return "<!-- end: " + command + " -->";
    }
}
