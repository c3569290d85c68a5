package habemus.cli.terminal;

import habemus.lab.table.DisplayWidth;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;

/** Text in two columns: a term on the left, its wrapped description on the right. */
public final class TwoColumnText {

    /** The maximum line width: longer lines are hard to read, however wide the terminal is. */
    public static final int WIDTH = 100;

    private final int width;
    private final int indent;
    private final int leftWidth;
    private final StringBuilder text = new StringBuilder();

    /** @param leftWidth the width of the left column, including the gap */
    public TwoColumnText(int indent, int leftWidth) {
        this(WIDTH, indent, leftWidth);
    }

    /** @param columns the width of the terminal, which may be less than {@link #WIDTH} */
    public TwoColumnText(int columns, int indent, int leftWidth) {
        this.width = Math.min(WIDTH, columns);
        this.indent = indent;
        this.leftWidth = leftWidth;
    }

    /** A term wider than its column gets a line of its own. */
    public TwoColumnText row(String term, String meaning) {
        var table = TextTable.forColumns(
                Help.defaultColorScheme(Ansi.OFF),
                new Column(indent + leftWidth, indent, Overflow.SPAN),
                new Column(width - indent - leftWidth, 0, Overflow.WRAP));
        table.indentWrappedLines = 0;
        if (DisplayWidth.of(term) == leftWidth) { // fits, but without the gap
            table.addRowValues(term, "");
            table.addRowValues("", meaning);
        } else {
            table.addRowValues(term, meaning);
        }
        table.toString(text);
        return this;
    }

    /** A line across both columns, as it is. */
    public TwoColumnText line(String line) {
        text.append(line).append('\n');
        return this;
    }

    /** A text across both columns, wrapped. */
    public TwoColumnText paragraph(String words) {
        DisplayWidth.wrap(words, width - indent)
                .forEach(line -> text.append(" ".repeat(indent)).append(line).append('\n'));
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
