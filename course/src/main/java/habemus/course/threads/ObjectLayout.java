package habemus.course.threads;

import java.util.ArrayList;
import java.util.List;

/**
 * Where the JVM puts the fields of an object, drawn on cache lines of 64 bytes. The object starts at a line.
 *
 * @param name of the class
 * @param bytes the size of an instance
 * @param fields in the order of their offsets
 */
public record ObjectLayout(String name, int bytes, List<Field> fields) {

    /** The unit in which caches of today's processors own memory. */
    public static final int LINE_BYTES = 64;

    /** The name of the first field: what the JVM stores in every object. */
    public static final String HEADER = "header";

    private static final int CELL_BYTES = 4; // a cell of the drawing

    /**
     * A field, or the header of the object.
     *
     * @param offset in bytes, from the start of the object
     */
    public record Field(String name, int offset, int bytes) {

        public int line() {
            return offset / LINE_BYTES;
        }

        /** Whether the field only takes up space: its name is {@code p} and a number. */
        public boolean isPadding() {
            return name.matches("p\\d+");
        }
    }

    public ObjectLayout {
        fields = List.copyOf(fields);
    }

    public int lines() {
        return Math.ceilDiv(bytes, LINE_BYTES);
    }

    /** Whether two fields are in the same cache line, so that a write of one invalidates the other in other caches. */
    public boolean shareLine(String one, String other) {
        return field(one).line() == field(other).line();
    }

    public Field field(String wanted) {
        return fields.stream()
                .filter(field -> field.name.equals(wanted))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no field " + wanted + ": " + fields));
    }

    /** A line of text for each cache line; a character is four bytes, {@code h} the header, {@code ·} unused. */
    public List<String> text() {
        var lines = new ArrayList<String>();
        for (int line = 0; line < lines(); line++) {
            int start = line * LINE_BYTES;
            int used = Math.min(LINE_BYTES, bytes - start);
            var cells = new StringBuilder();
            for (int at = start; at < start + used; at += CELL_BYTES) {
                cells.append(symbol(at));
            }
            lines.add("[" + cells + " ".repeat((LINE_BYTES - used) / CELL_BYTES) + "]" + names(line));
        }
        return lines;
    }

    private String symbol(int at) {
        return fields.stream()
                .filter(field -> at >= field.offset && at < field.offset + field.bytes)
                .findFirst()
                .map(field -> field.name.substring(0, 1))
                .orElse("·");
    }

    private String names(int line) {
        var names = fields.stream()
                .filter(field -> field.line() == line && !field.isPadding())
                .map(field -> field.name + " at " + field.offset)
                .toList();
        return names.isEmpty() ? "" : "  " + String.join(", ", names);
    }
}
