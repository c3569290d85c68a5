package habemus.cli.terminal;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Where a command speaks.
 *
 * @param outIsTerminal whether somebody looks at what {@code out} says, rather than a program
 */
public record Terminal(PrintStream out, PrintStream err, boolean outIsTerminal, boolean errIsTerminal) {

    /** What other programs read; nobody looks. */
    public static Terminal of(PrintStream out, PrintStream err) {
        return new Terminal(out, err, false, false);
    }

    /** In UTF-8 whatever the locale says: a trace has the same bytes everywhere. */
    public static Terminal system() {
        return new Terminal(
                stream(FileDescriptor.out), stream(FileDescriptor.err), isTerminal("out"), isTerminal("err"));
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        var buffered = new BufferedOutputStream(new FileOutputStream(descriptor), 1 << 16);
        return new PrintStream(buffered, false, StandardCharsets.UTF_8);
    }

    /** The launcher knows. {@link System#console} does not: since Java 22 there is one without a terminal too. */
    private static boolean isTerminal(String stream) {
        return System.getProperty("habemus.terminal", "").contains(stream);
    }

    public void flush() {
        out.flush();
        err.flush();
    }
}
