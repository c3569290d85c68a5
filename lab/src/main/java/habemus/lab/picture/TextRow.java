package habemus.lab.picture;

import java.util.Arrays;

/** One row of a text diagram: a cell for each character, and words to the right of them. */
final class TextRow {

    /** What stands out on a terminal that has colours. */
    enum Ink {
        PLAIN(""),
        GREEN("\u001b[32m"),
        YELLOW("\u001b[33m"),
        RED("\u001b[1;31m");

        private static final String END = "\u001b[0m";
        private final String begin;

        Ink(String begin) {
            this.begin = begin;
        }

        String on(String text) {
            return begin.isEmpty() || text.isEmpty() ? text : begin + text + END;
        }
    }

    private final char[] cells;
    private final Ink[] inks;
    private String words = "";
    private Ink wordsInk = Ink.PLAIN;

    TextRow(int width) {
        cells = new char[width];
        inks = new Ink[width];
        Arrays.fill(cells, ' ');
        Arrays.fill(inks, Ink.PLAIN);
    }

    char at(int cell) {
        return cells[cell];
    }

    void put(int cell, char sign, Ink ink) {
        cells[cell] = sign;
        inks[cell] = ink;
    }

    void put(int cell, String text, Ink ink) {
        for (int i = 0; i < text.length(); i++) {
            put(cell + i, text.charAt(i), ink);
        }
    }

    void say(String next, Ink ink) {
        words = next;
        wordsInk = ink;
    }

    String draw(boolean colour) {
        var out = new StringBuilder();
        int from = 0;
        while (from < cells.length) {
            int to = from + 1;
            while (to < cells.length && inks[to] == inks[from]) {
                to++;
            }
            var run = new String(cells, from, to - from);
            out.append(colour ? inks[from].on(run) : run);
            from = to;
        }
        return out.append(colour ? wordsInk.on(words) : words).toString().stripTrailing();
    }
}
