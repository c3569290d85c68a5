package habemus.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Text in two columns: a term on the left, its wrapped description on the right. */
public final class TwoColumnText {

    /** The maximum line width. */
    public static final int WIDTH = 100;

    private final int indent;
    private final int leftWidth;
    private final StringBuilder text = new StringBuilder();

    /** @param leftWidth the width of the left column, including the gap */
    public TwoColumnText(int indent, int leftWidth) {
        this.indent = indent;
        this.leftWidth = leftWidth;
    }

    /** A term wider than its column gets a line of its own. */
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

    /** A line across both columns. */
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
