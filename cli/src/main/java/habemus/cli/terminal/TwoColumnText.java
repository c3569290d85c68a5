package habemus.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Text in two columns: a word at the left, what it means at the right, wrapped. */
public final class TwoColumnText {

    /** A line is no longer. */
    public static final int WIDTH = 100;

    private final int indent;
    private final int leftWidth;
    private final StringBuilder text = new StringBuilder();

    /** @param leftWidth how wide the left column is, with the gap after it */
    public TwoColumnText(int indent, int leftWidth) {
        this.indent = indent;
        this.leftWidth = leftWidth;
    }

    /** A word too wide for its column has a line of its own. */
    public TwoColumnText row(String term, String meaning) {
        var lines = wrap(meaning, WIDTH - indent - leftWidth);
        var head = " ".repeat(indent) + term;
        boolean narrow = term.length() < leftWidth;
        if (!narrow) {
            text.append(head).append('\n');
        }
        for (int i = 0; i < lines.size(); i++) {
            var start = i == 0 && narrow ? head : "";
            text.append(start).append(" ".repeat(indent + leftWidth - start.length()));
            text.append(lines.get(i)).append('\n');
        }
        return this;
    }

    /** A line across both. */
    public TwoColumnText line(String line) {
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
