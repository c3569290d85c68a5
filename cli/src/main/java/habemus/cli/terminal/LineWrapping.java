package habemus.cli.terminal;

import habemus.lab.table.DisplayWidth;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Wraps the lines of a text that are wider than the terminal. A line of a table or a diagram goes on below its last
 * column. Command lines and JSON are not wrapped: a reader copies them, or a program reads them.
 */
final class LineWrapping extends FilterOutputStream {

    private static final Pattern VERBATIM =
            Pattern.compile("(?:.* {2}(?:\\x1b\\[\\d+m)?)?\\s*(?:\\$ |\\./)?habemus .*|\\s*[\\[{].*", Pattern.DOTALL);
    private static final Pattern COLUMN_START = Pattern.compile(" {2,}(?=\\S)");
    private static final double WIDEST_INDENT = 0.6;

    private final int columns;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean isPartlyWritten;

    LineWrapping(OutputStream out, int columns) {
        super(out);
        this.columns = columns;
    }

    @Override
    public void write(int octet) throws IOException {
        line.write(octet);
        if (octet == '\n') {
            writeLine();
        }
    }

    @Override
    public void write(byte[] octets, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            write(octets[i]);
        }
    }

    /** A line that is not complete yet is written as it is, with its rest. */
    @Override
    public void flush() throws IOException {
        if (line.size() > 0) {
            isPartlyWritten = true;
            out.write(line.toByteArray());
            line.reset();
        }
        out.flush();
    }

    private void writeLine() throws IOException {
        var text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        out.write(
                (isPartlyWritten ? text : wrap(text.stripTrailing(), columns) + "\n").getBytes(StandardCharsets.UTF_8));
        isPartlyWritten = false;
    }

    static String wrap(String text, int columns) {
        if (DisplayWidth.of(text) <= columns || VERBATIM.matcher(text).matches()) {
            return text;
        }
        var wrapped = new StringBuilder();
        var rest = text;
        var indent = " ".repeat(indent(text, columns));
        while (DisplayWidth.of(rest) > columns) {
            int end = lastSpace(rest, columns, wrapped.isEmpty() ? leadingSpaces(text) : indent.length());
            if (end < 0) {
                break;
            }
            wrapped.append(rest.substring(0, end).stripTrailing()).append('\n');
            rest = indent + rest.substring(end).strip();
        }
        return wrapped.append(rest).toString();
    }

    private static int leadingSpaces(String text) {
        return text.length() - text.stripLeading().length();
    }

    /** Where the last column starts; two columns more than the first line if that is too far to the right. */
    private static int indent(String text, int columns) {
        int last = COLUMN_START
                .matcher(text)
                .results()
                .mapToInt(gap -> gap.end())
                .filter(end -> DisplayWidth.of(text.substring(0, end)) <= columns)
                .reduce((first, second) -> second)
                .orElse(0);
        return last > 0 && last <= WIDEST_INDENT * columns ? last : leadingSpaces(text) + 2;
    }

    /** The last space at which the text can be broken; negative if its first word is too long. */
    private static int lastSpace(String text, int columns, int indent) {
        int found = -1;
        for (int at = text.indexOf(' ', indent); at >= 0; at = text.indexOf(' ', at + 1)) {
            if (DisplayWidth.of(text.substring(0, at).stripTrailing()) > columns) {
                return found >= 0 ? found : at;
            }
            found = at;
        }
        return found;
    }
}
