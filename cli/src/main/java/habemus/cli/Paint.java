package habemus.cli;

/**
 * Colours for a terminal.
 *
 * @param on whether there are any
 */
record Paint(boolean on) {

    /** @param choice auto, always or never */
    static Paint of(String choice, Terminal terminal) {
        return switch (choice) {
            case "always" -> new Paint(true);
            case "never" -> new Paint(false);
            case "auto" -> new Paint(terminal.outIsTerminal() && !unwanted());
            default -> throw Refusal.wrong("--color " + choice + " is not a choice", "it is auto, always or never");
        };
    }

    private static boolean unwanted() {
        return System.getenv("NO_COLOR") != null || "dumb".equals(System.getenv("TERM"));
    }

    String red(String text) {
        return code("31;1", text);
    }

    String green(String text) {
        return code("32", text);
    }

    String bold(String text) {
        return code("1", text);
    }

    String faint(String text) {
        return code("2", text);
    }

    private String code(String number, String text) {
        return on ? "\u001b[" + number + "m" + text + "\u001b[0m" : text;
    }
}
