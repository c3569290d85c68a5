package habemus.lab.table;

/** Text styles for a terminal: the escape sequences of ECMA-48; plain text if they are not enabled. */
public record AnsiColors(boolean enabled) {

    public static final AnsiColors NONE = new AnsiColors(false);

    private static final String RESET = "\u001b[0m";

    public String red(String text) {
        return styled("\u001b[1m\u001b[31m", text, "\u001b[39m\u001b[21m");
    }

    public String green(String text) {
        return styled("\u001b[32m", text, "\u001b[39m");
    }

    public String bold(String text) {
        return styled("\u001b[1m", text, "\u001b[21m");
    }

    public String faint(String text) {
        return styled("\u001b[2m", text, "\u001b[22m");
    }

    private String styled(String on, String text, String off) {
        return enabled && !text.isEmpty() ? on + text + off + RESET : text;
    }
}
