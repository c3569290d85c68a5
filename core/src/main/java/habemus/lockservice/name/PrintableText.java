package habemus.lockservice.name;

/**
 * Texts that terminals and logs show as they are. Control and format characters are none: they move the cursor, hide
 * characters, or change the direction of the text around them.
 */
public final class PrintableText {

    private PrintableText() {}

    /** Whether the character is a letter, a mark, a number, punctuation, a symbol or the space. */
    public static boolean isPrintable(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> codePoint == ' ';
            default -> true;
        };
    }

    public static boolean isPrintable(String text) {
        return text.codePoints().allMatch(PrintableText::isPrintable);
    }

    /** The text with every other character as an escape, such as {@code \n} or {@code \u202e}. */
    public static String escape(String text) {
        if (isPrintable(text)) {
            return text;
        }
        var escaped = new StringBuilder();
        text.codePoints().forEach(codePoint -> {
            if (isPrintable(codePoint)) {
                escaped.appendCodePoint(codePoint);
            } else {
                escaped.append(escape(codePoint));
            }
        });
        return escaped.toString();
    }

    /** The same, but keeps the ends of lines and tabulators. */
    public static String escapeLines(String text) {
        var escaped = new StringBuilder();
        text.codePoints()
                .forEach(codePoint -> escaped.append(
                        codePoint == '\n' || codePoint == '\t'
                                ? Character.toString(codePoint)
                                : escape(Character.toString(codePoint))));
        return escaped.toString();
    }

    private static String escape(int codePoint) {
        return switch (codePoint) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> {
                var units = new StringBuilder();
                for (char unit : Character.toChars(codePoint)) {
                    units.append("\\u").append("%04x".formatted((int) unit));
                }
                yield units.toString();
            }
        };
    }
}
