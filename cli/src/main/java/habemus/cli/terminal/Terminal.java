package habemus.cli.terminal;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The standard output and standard error of a command.
 *
 * @param outIsTerminal whether {@code out} is a terminal, not a file or a pipe
 */
public record Terminal(PrintStream out, PrintStream err, boolean outIsTerminal, boolean errIsTerminal) {

    /** Neither stream is a terminal. */
    public static Terminal of(PrintStream out, PrintStream err) {
        return new Terminal(out, err, false, false);
    }

    /** The streams of this process, in UTF-8 whatever the locale: a trace has the same bytes everywhere. */
    public static Terminal system() {
        return new Terminal(
                stream(FileDescriptor.out), stream(FileDescriptor.err), isTerminal("out"), isTerminal("err"));
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        var buffered = new BufferedOutputStream(new FileOutputStream(descriptor), 1 << 16);
        return new PrintStream(buffered, false, StandardCharsets.UTF_8);
    }

    /** The launcher passes it. {@link System#console} cannot tell: since Java 22 it exists without a terminal too. */
    private static boolean isTerminal(String stream) {
        return System.getProperty("habemus.terminal", "").contains(stream);
    }

    public void flush() {
        out.flush();
        err.flush();
    }
}
