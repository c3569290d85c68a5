package habemus.cli.terminal;

/**
 * Colours for a terminal.
 *
 * @param enabled whether there are any
 */
public record AnsiColors(boolean enabled) {

    /** @param choice auto, always or never */
    public static AnsiColors of(String choice, Terminal terminal) {
        return switch (choice) {
            case "always" -> new AnsiColors(true);
            case "never" -> new AnsiColors(false);
            case "auto" -> new AnsiColors(terminal.outIsTerminal() && !isDisabledByEnvironment());
            default ->
                throw CommandException.usage("--color " + choice + " is not a choice", "it is auto, always or never");
        };
    }

    private static boolean isDisabledByEnvironment() {
        return System.getenv("NO_COLOR") != null || "dumb".equals(System.getenv("TERM"));
    }

    public String red(String text) {
        return code("31;1", text);
    }

    public String green(String text) {
        return code("32", text);
    }

    public String bold(String text) {
        return code("1", text);
    }

    public String faint(String text) {
        return code("2", text);
    }

    private String code(String number, String text) {
        return enabled ? "\u001b[" + number + "m" + text + "\u001b[0m" : text;
    }
}
