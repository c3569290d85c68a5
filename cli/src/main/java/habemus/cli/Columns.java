package habemus.cli;

import java.util.ArrayList;
import java.util.List;

/** Text in two columns: a word at the left, what it means at the right, wrapped. */
final class Columns {

    /** A line is no longer. */
    static final int WIDTH = 100;

    private final int indent;
    private final int left;
    private final StringBuilder text = new StringBuilder();

    /** @param left how wide the left column is, with the gap after it */
    Columns(int indent, int left) {
        this.indent = indent;
        this.left = left;
    }

    /** A word too wide for its column has a line of its own. */
    Columns row(String word, String meaning) {
        var lines = wrap(meaning, WIDTH - indent - left);
        var head = " ".repeat(indent) + word;
        boolean narrow = word.length() < left;
        if (!narrow) {
            text.append(head).append('\n');
        }
        for (int i = 0; i < lines.size(); i++) {
            var start = i == 0 && narrow ? head : "";
            text.append(start).append(" ".repeat(indent + left - start.length()));
            text.append(lines.get(i)).append('\n');
        }
        return this;
    }

    /** A line across both. */
    Columns line(String line) {
        text.append(line).append('\n');
        return this;
    }

    private static List<String> wrap(String meaning, int width) {
        var lines = new ArrayList<String>();
        var line = new StringBuilder();
        for (String word : meaning.split(" ", -1)) {
            if (line.length() + 1 + word.length() > width && !line.isEmpty()) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return List.copyOf(lines);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
