package habemus.cli.terminal;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * What a node, or a client, says on its standard error: a line an event, and of the libraries beneath it only what is
 * asked for.
 */
public final class ConsoleLogging {

    private static final String SIMPLE = "org.slf4j.simpleLogger.";
    private static final Logger SERVER = Logger.getLogger("io.helidon"); // kept, or it would forget its level

    private ConsoleLogging() {}

    /** Of a client within a command, which speaks for it. */
    public static void silenceClient() {
        System.setProperty(SIMPLE + "log.habemus.client", "off");
    }

    /** Before anything is logged. */
    public static void configure(boolean verbose) {
        System.setProperty(SIMPLE + "showDateTime", "true");
        System.setProperty(SIMPLE + "dateTimeFormat", "HH:mm:ss.SSS");
        System.setProperty(SIMPLE + "showThreadName", "false");
        System.setProperty(SIMPLE + "showLogName", "false");
        System.setProperty(SIMPLE + "log.org.jgroups", verbose ? "info" : "off");
        SERVER.setLevel(verbose ? Level.INFO : Level.OFF);
    }
}
