package habemus.cli.terminal;

import com.google.gson.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The log of nodes and clients on standard error, one event a line. Configure it before anything is logged.
 *
 * <pre>
 *   text  2026-03-01T09:30:00.125Z INFO leader changed node=n1 leader=n2
 *   json  {"time":"2026-03-01T09:30:00.125Z","level":"INFO","event":"leader changed","node":"n1","leader":"n2"}
 * </pre>
 */
public final class ConsoleLogging {

    /** How an event is written. */
    public enum Format {
        TEXT,
        JSON
    }

    /** What separates the event from its fields, and one {@code key=value} field from the next. */
    private static final Pattern BEFORE_FIELD = Pattern.compile("\\s+(?=[A-Za-z][\\w.-]*=)");

    /** Strongly reachable: java.util.logging forgets the level of a collected logger. */
    private static final Logger HTTP_SERVER = Logger.getLogger("io.helidon");

    private static volatile Format format = Format.TEXT;
    private static volatile boolean librariesLogged;
    private static volatile boolean clientSilenced;

    private ConsoleLogging() {}

    /** @param verbose whether JGroups and the HTTP server log too */
    public static void configure(boolean verbose, Format newFormat) {
        format = newFormat;
        librariesLogged = verbose;
        HTTP_SERVER.setLevel(verbose ? java.util.logging.Level.INFO : java.util.logging.Level.OFF);
    }

    public static void configure(boolean verbose) {
        configure(verbose, Format.TEXT);
    }

    /** For a command that reports the client's failures itself. */
    public static void silenceClient() {
        clientSilenced = true;
    }

    static boolean isEnabled(String logger, Level level) {
        if (logger.startsWith("org.jgroups") && !librariesLogged
                || logger.startsWith("habemus.client") && clientSilenced) {
            return false;
        }
        return level.toInt() >= Level.INFO.toInt();
    }

    static void write(Level level, String message, @Nullable Throwable error) {
        var time = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        var line = format == Format.JSON ? json(time, level, message, error) : text(time, level, message, error);
        System.err.println(line);
    }

    static String text(Instant time, Level level, String message, @Nullable Throwable error) {
        return time + " " + level + " " + message + (error == null ? "" : "\n" + stackTrace(error));
    }

    static String json(Instant time, Level level, String message, @Nullable Throwable error) {
        var parts = List.of(BEFORE_FIELD.split(message));
        var json = new JsonObject();
        json.addProperty("time", time.toString());
        json.addProperty("level", level.toString());
        json.addProperty("event", parts.getFirst());
        for (String field : parts.subList(1, parts.size())) {
            int equals = field.indexOf('=');
            json.addProperty(field.substring(0, equals), field.substring(equals + 1));
        }
        if (error != null) {
            json.addProperty("error", stackTrace(error));
        }
        return json.toString();
    }

    private static String stackTrace(Throwable error) {
        var text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        return text.toString().stripTrailing();
    }
}
