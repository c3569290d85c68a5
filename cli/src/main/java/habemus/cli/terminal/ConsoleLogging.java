package habemus.cli.terminal;

import com.google.gson.JsonObject;
import habemus.lockservice.name.PrintableText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;
import org.slf4j.helpers.MessageFormatter;

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

    private static final Pattern QUOTED = Pattern.compile("^\"(.*)\"$");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{}");

    private static volatile Format format = Format.TEXT;
    private static volatile boolean isVerbose;
    private static volatile boolean clientSilenced;
    private static volatile boolean isSilenced;

    private ConsoleLogging() {}

    /** @param verbose whether the events of level DEBUG are logged too, such as every HTTP request */
    public static void configure(boolean verbose, Format newFormat) {
        format = newFormat;
        isVerbose = verbose;
    }

    public static void configure(boolean verbose) {
        configure(verbose, Format.TEXT);
    }

    /** For a command that reports the client's failures itself. */
    public static void silenceClient() {
        clientSilenced = true;
    }

    /** For a command that simulates nodes and clients: they lose leases and connections all the time. */
    public static <T> T silenced(Supplier<T> command) {
        isSilenced = true;
        try {
            return command.get();
        } finally {
            isSilenced = false;
        }
    }

    static boolean isEnabled(String logger, Level level) {
        boolean isQuiet = isSilenced || logger.startsWith("habemus.client") && clientSilenced;
        var lowest = isVerbose && logger.startsWith("habemus.") ? Level.DEBUG : Level.INFO;
        return level.toInt() >= lowest.toInt() && !isQuiet;
    }

    /**
     * Writes an event. Control and format characters in its values are escaped: they may come from clients.
     *
     * @param pattern the event and its fields, with {@code {}} for each argument
     */
    static void write(Level level, String pattern, @Nullable Object[] arguments, @Nullable Throwable error) {
        var time = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        System.err.println(
                format == Format.JSON
                        ? json(time, level, pattern, arguments, error)
                        : text(time, level, pattern, arguments, error));
    }

    static String text(
            Instant time, Level level, String pattern, @Nullable Object[] arguments, @Nullable Throwable error) {
        var message =
                MessageFormatter.basicArrayFormat(pattern, printable(arguments).toArray());
        return time + " " + level + " " + message + (error == null ? "" : "\n" + stackTrace(error));
    }

    /** The pattern, not the message, separates the fields: an argument may contain {@code =} and quotes. */
    static String json(
            Instant time, Level level, String pattern, @Nullable Object[] arguments, @Nullable Throwable error) {
        var values = printable(arguments).iterator();
        var fields = List.of(BEFORE_FIELD.split(pattern));
        var json = new JsonObject();
        json.addProperty("time", time.toString());
        json.addProperty("level", level.toString());
        json.addProperty("event", fill(fields.getFirst(), values));
        for (String field : fields.subList(1, fields.size())) {
            int equals = field.indexOf('=');
            var value = QUOTED.matcher(field.substring(equals + 1)).replaceFirst("$1");
            json.addProperty(field.substring(0, equals), fill(value, values));
        }
        if (error != null) {
            json.addProperty("error", stackTrace(error));
        }
        return json.toString();
    }

    private static List<String> printable(@Nullable Object[] values) {
        return Arrays.stream(values)
                .map(value -> PrintableText.escape(String.valueOf(value)))
                .toList();
    }

    private static String fill(String pattern, Iterator<String> values) {
        return PLACEHOLDER
                .matcher(pattern)
                .replaceAll(placeholder ->
                        values.hasNext() ? Matcher.quoteReplacement(values.next()) : placeholder.group());
    }

    private static String stackTrace(Throwable error) {
        var text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        return PrintableText.escapeLines(text.toString().stripTrailing());
    }
}
