package habemus.cli.terminal;

import habemus.lab.language.Language;
import habemus.lab.language.Translation;
import habemus.lab.table.AnsiColors;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;

/**
 * The standard streams of a command, and how to write to their reader.
 *
 * @param terminals those of {@code in}, {@code out} and {@code err} that are a terminal, not a file or a pipe
 * @param columns the width of the terminal; {@link #UNLIMITED} if it is not known
 * @param language of summaries and explanations
 */
public record Terminal(
        BufferedReader in, PrintStream out, PrintStream err, Set<String> terminals, int columns, Language language) {

    public static final int UNLIMITED = Integer.MAX_VALUE;

    private static final int MIN_COLUMNS = 40;

    /** No stream is a terminal, and the input is empty. */
    public static Terminal of(PrintStream out, PrintStream err) {
        return new Terminal(new BufferedReader(Reader.nullReader()), out, err, Set.of(), UNLIMITED, Language.ENGLISH);
    }

    /** The streams of this process, in UTF-8 whatever the locale: a trace has the same bytes everywhere. */
    public static Terminal system() {
        var terminals = Set.of(System.getProperty("habemus.terminal", "").split(",", 0));
        return new Terminal(
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)),
                        stream(FileDescriptor.out),
                        stream(FileDescriptor.err),
                        terminals,
                        UNLIMITED,
                        language(environment("LC_ALL"), environment("LANG")))
                .withColumns(columns(environment("COLUMNS"), System.getProperty("habemus.columns", "")));
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        var buffered = new BufferedOutputStream(new FileOutputStream(descriptor), 1 << 16);
        return new PrintStream(buffered, false, StandardCharsets.UTF_8);
    }

    private static String environment(String name) {
        return Optional.ofNullable(System.getenv(name)).orElse("");
    }

    /** As the C library does: {@code LC_ALL} goes before {@code LANG} unless it is empty. */
    static Language language(String lcAll, String lang) {
        return Language.of(lcAll.isEmpty() ? lang : lcAll);
    }

    /** @param exported what the user has exported as COLUMNS: it goes before what the launcher has measured */
    static int columns(String exported, String measured) {
        var text = exported.isEmpty() ? measured : exported;
        return text.matches("[1-9]\\d{0,5}") ? Math.max(MIN_COLUMNS, Integer.parseInt(text)) : UNLIMITED;
    }

    /** A terminal of this width: lines that are wider are wrapped. */
    public Terminal withColumns(int next) {
        return next == UNLIMITED
                ? this
                : new Terminal(in, wrapping(out, next), wrapping(err, next), terminals, next, language);
    }

    private static PrintStream wrapping(PrintStream stream, int columns) {
        return new PrintStream(new LineWrapping(stream, columns), false, StandardCharsets.UTF_8);
    }

    public Terminal withLanguage(Language next) {
        return new Terminal(in, out, err, terminals, columns, next);
    }

    public Translation translation() {
        return Translation.to(language);
    }

    /** The launcher passes it. {@link System#console} cannot tell: since Java 22 it exists without a terminal too. */
    public boolean outIsTerminal() {
        return terminals.contains("out");
    }

    public boolean errIsTerminal() {
        return terminals.contains("err");
    }

    /** @param when {@code auto}, {@code always} or {@code never} */
    public AnsiColors colors(String when) {
        boolean isPlain = System.getenv("NO_COLOR") != null || "dumb".equals(System.getenv("TERM"));
        return new AnsiColors(when.equals("always") || when.equals("auto") && outIsTerminal() && !isPlain);
    }

    /** Whether a person can be asked: the questions are shown, and the answers are typed. */
    public boolean isInteractive() {
        return terminals.contains("in") && outIsTerminal();
    }

    public void flush() {
        out.flush();
        err.flush();
    }
}
