package habemus.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.table.AnsiColors;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.IStyle;
import picocli.CommandLine.Help.Ansi.Style;
import picocli.CommandLine.Help.ColorScheme;

/** Coloured text has the escape sequences that picocli prints. */
class AnsiColorsTest {

    private static final AnsiColors ALWAYS = new AnsiColors(true);

    @ParameterizedTest
    @ValueSource(strings = {"holds", "two\nlines", "", "ação", "a @|b|@ c"})
    void the_bytes_are_those_of_picocli(String text) {
        assertThat(ALWAYS.red(text)).isEqualTo(picocli(text, Style.bold, Style.fg_red));
        assertThat(ALWAYS.green(text)).isEqualTo(picocli(text, Style.fg_green));
        assertThat(ALWAYS.bold(text)).isEqualTo(picocli(text, Style.bold));
        assertThat(ALWAYS.faint(text)).isEqualTo(picocli(text, Style.faint));
        assertThat(AnsiColors.NONE.red(text)).isEqualTo(text);
    }

    private static String picocli(String text, IStyle... styles) {
        return new ColorScheme.Builder(Ansi.ON)
                .build()
                .apply(text, List.of(styles))
                .toString();
    }
}
