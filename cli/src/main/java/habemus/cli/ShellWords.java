package habemus.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A command line as a POSIX shell splits it: blanks, 'quotes', "quotes" and backslashes; nothing is expanded. */
final class ShellWords {

    private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

    private final String line;
    private final List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean begun;
    private int at;

    private ShellWords(String line) {
        this.line = line;
    }

    /** @throws IllegalArgumentException if a quote is not closed */
    static List<String> split(String line) {
        var words = new ShellWords(line);
        while (words.at < line.length()) {
            words.take(line.charAt(words.at++));
        }
        words.end();
        return List.copyOf(words.words);
    }

    /** So that a shell, or {@link #split}, takes it for one word. */
    static String quote(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    private void take(char c) {
        switch (c) {
            case ' ', '\t' -> end();
            case '\'', '"' -> quoted(c);
            case '\\' -> escaped();
            default -> add(c);
        }
    }

    private void quoted(char quote) {
        begun = true;
        while (at < line.length() && line.charAt(at) != quote) {
            if (quote == '"' && line.charAt(at) == '\\') {
                at++;
                escaped();
            } else {
                add(line.charAt(at++));
            }
        }
        if (at == line.length()) {
            throw new IllegalArgumentException("a quote " + quote + " is not closed");
        }
        at++;
    }

    private void escaped() {
        if (at == line.length()) {
            throw new IllegalArgumentException("nothing follows the last backslash");
        }
        add(line.charAt(at++));
    }

    private void add(char c) {
        begun = true;
        word.append(c);
    }

    private void end() {
        if (begun) {
            words.add(word.toString());
        }
        word.setLength(0);
        begun = false;
    }
}
