package habemus.lab.command;

import java.util.ArrayList;
import java.util.List;

/** Splits and quotes like a POSIX shell: blanks, quotes and backslashes; without expansions. */
public final class ShellSyntax {

    private static final String PLAIN = "_@%+=:,./-";

    private final String line;
    private final List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean inWord;
    private int position;

    private ShellSyntax(String line) {
        this.line = line;
    }

    /** @throws IllegalArgumentException if a quote is not closed */
    public static List<String> split(String line) {
        var splitter = new ShellSyntax(line);
        while (splitter.position < line.length()) {
            splitter.consume(line.charAt(splitter.position++));
        }
        splitter.endWord();
        return List.copyOf(splitter.words);
    }

    /** Quotes a word so that a shell, or {@link #split}, reads it as one word. */
    public static String quote(String word) {
        return !word.isEmpty() && word.chars().allMatch(ShellSyntax::isPlain)
                ? word
                : "'" + word.replace("'", "'\\''") + "'";
    }

    /** Without a regular expression: in a browser it needs stack for each character, and moves are a long word. */
    private static boolean isPlain(int c) {
        return c < 128 && Character.isLetterOrDigit(c) || PLAIN.indexOf(c) >= 0;
    }

    private void consume(char c) {
        switch (c) {
            case ' ', '\t' -> endWord();
            case '\'', '"' -> quoted(c);
            case '\\' -> escaped();
            default -> append(c);
        }
    }

    private void quoted(char quote) {
        inWord = true;
        while (position < line.length() && line.charAt(position) != quote) {
            if (quote == '"' && line.charAt(position) == '\\') {
                position++;
                escaped();
            } else {
                append(line.charAt(position++));
            }
        }
        if (position == line.length()) {
            throw new IllegalArgumentException("missing closing quote " + quote);
        }
        position++;
    }

    private void escaped() {
        if (position == line.length()) {
            throw new IllegalArgumentException("backslash at the end of the line");
        }
        append(line.charAt(position++));
    }

    private void append(char c) {
        inWord = true;
        word.append(c);
    }

    private void endWord() {
        if (inWord) {
            words.add(word.toString());
        }
        word.setLength(0);
        inWord = false;
    }
}
