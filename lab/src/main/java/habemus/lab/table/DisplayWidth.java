package habemus.lab.table;

import java.util.ArrayList;
import java.util.List;

/** The width of text in columns of a terminal: ideographs and emoji take two, combining accents and styles none. */
public final class DisplayWidth {

    private static final String STYLE = "\u001b\\[[0-9;]*m";

    private DisplayWidth() {}

    public static int of(String text) {
        return text.replaceAll(STYLE, "").codePoints().map(DisplayWidth::of).sum();
    }

    private static int of(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
            default -> {
                boolean wide = Character.isIdeographic(codePoint)
                        || codePoint >= 0x1100 && codePoint <= 0x115F // Hangul Jamo, then Hangul syllables
                        || codePoint >= 0xAC00 && codePoint <= 0xD7A3
                        || codePoint >= 0x3000 && codePoint <= 0x30FF // Japanese
                        || codePoint >= 0xFF00 && codePoint <= 0xFF60 // full-width Latin
                        || codePoint >= 0x1F300 && codePoint <= 0x1FAFF; // emoji
                yield wide ? 2 : 1;
            }
        };
    }

    /** The text in lines of at most this width, broken at spaces. A longer word has a line of its own. */
    public static List<String> wrap(String text, int width) {
        if (of(text) <= width) {
            return List.of(text);
        }
        var lines = new ArrayList<String>();
        var line = new StringBuilder();
        for (String word : text.strip().split(" +", -1)) {
            if (!line.isEmpty() && of(line.toString()) + 1 + of(word) > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return List.copyOf(lines);
    }
}
