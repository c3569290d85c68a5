package habemus.cli.terminal;

import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;

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
        var table = TextTable.forColumns(
                Help.defaultColorScheme(Ansi.OFF),
                new Column(indent + leftWidth, indent, Overflow.SPAN),
                new Column(WIDTH - indent - leftWidth, 0, Overflow.WRAP));
        table.indentWrappedLines = 0;
        table.addRowValues(term, meaning);
        table.toString(text);
        return this;
    }

    /** A line across both columns. */
    public TwoColumnText line(String line) {
        text.append(line).append('\n');
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
