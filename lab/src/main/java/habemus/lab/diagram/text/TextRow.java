package habemus.lab.diagram.text;

import java.util.Arrays;

/** One row of a text diagram: a cell for each character, and a text to the right of them. */
final class TextRow {

    /** Colours of a terminal. */
    enum Colour {
        PLAIN(""),
        GREEN("\u001b[32m"),
        YELLOW("\u001b[33m"),
        RED("\u001b[1;31m");

        private static final String END = "\u001b[0m";
        private final String begin;

        Colour(String begin) {
            this.begin = begin;
        }

        String paint(String text) {
            return begin.isEmpty() || text.isEmpty() ? text : begin + text + END;
        }
    }

    private final char[] cells;
    private final Colour[] colours;
    private String text = "";
    private Colour textColour = Colour.PLAIN;

    TextRow(int width) {
        cells = new char[width];
        colours = new Colour[width];
        Arrays.fill(cells, ' ');
        Arrays.fill(colours, Colour.PLAIN);
    }

    char at(int cell) {
        return cells[cell];
    }

    void put(int cell, char symbol, Colour colour) {
        cells[cell] = symbol;
        colours[cell] = colour;
    }

    void put(int cell, String text, Colour colour) {
        for (int i = 0; i < text.length(); i++) {
            put(cell + i, text.charAt(i), colour);
        }
    }

    void setText(String next, Colour colour) {
        text = next;
        textColour = colour;
    }

    String draw(boolean colour) {
        var out = new StringBuilder();
        int from = 0;
        while (from < cells.length) {
            int to = from + 1;
            while (to < cells.length && colours[to] == colours[from]) {
                to++;
            }
            var run = new String(cells, from, to - from);
            out.append(colour ? colours[from].paint(run) : run);
            from = to;
        }
        return out.append(colour ? textColour.paint(text) : text).toString().stripTrailing();
    }
}
