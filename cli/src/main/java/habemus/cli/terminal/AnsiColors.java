package habemus.cli.terminal;

import java.util.List;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.IStyle;
import picocli.CommandLine.Help.Ansi.Style;
import picocli.CommandLine.Help.ColorScheme;

/** Text styles for a terminal; plain text if {@code ansi} is off. */
public record AnsiColors(Ansi ansi) {

    public static final AnsiColors NONE = new AnsiColors(Ansi.OFF);

    /** @param when {@code auto}, {@code always} or {@code never} */
    public static AnsiColors of(String when, Terminal terminal) {
        boolean colored =
                when.equals("always") || when.equals("auto") && terminal.outIsTerminal() && !isDisabledByEnvironment();
        return new AnsiColors(colored ? Ansi.ON : Ansi.OFF);
    }

    private static boolean isDisabledByEnvironment() {
        return System.getenv("NO_COLOR") != null || "dumb".equals(System.getenv("TERM"));
    }

    public boolean enabled() {
        return ansi.enabled();
    }

    public String red(String text) {
        return apply(text, Style.bold, Style.fg_red);
    }

    public String green(String text) {
        return apply(text, Style.fg_green);
    }

    public String bold(String text) {
        return apply(text, Style.bold);
    }

    public String faint(String text) {
        return apply(text, Style.faint);
    }

    private String apply(String text, IStyle... styles) {
        return new ColorScheme.Builder(ansi)
                .build()
                .apply(text, List.of(styles))
                .toString();
    }
}
