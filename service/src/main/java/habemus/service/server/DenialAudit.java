package habemus.service.server;

import habemus.lockservice.Command;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects denied requests until they are proposed to the log. Equal ones are counted, and at most
 * {@value #MAX_DISTINCT} different ones are kept, so a flood of denials costs little. Thread-safe.
 */
final class DenialAudit {

    private static final int MAX_DISTINCT = 10;
    private static final int MAX_CHARS = 200;
    private static final Denial OTHERS = new Denial("several clients", "several addresses", "several requests");

    private record Denial(String client, String address, String request) {}

    private final Map<Denial, Long> counts = new LinkedHashMap<>();

    /** {@return whether this denial is the first since the last {@link #drain}} */
    synchronized boolean add(String client, String address, String request) {
        var denial = new Denial(shorten(client), shorten(withoutPort(address)), shorten(request));
        boolean isFirst = counts.isEmpty();
        counts.merge(counts.containsKey(denial) || counts.size() < MAX_DISTINCT ? denial : OTHERS, 1L, Long::sum);
        return isFirst;
    }

    /** Removes and returns what is collected. */
    synchronized List<Command> drain() {
        var commands = new ArrayList<Command>();
        counts.forEach((denial, count) ->
                commands.add(new Command.RecordDenial(denial.client, denial.address, denial.request, count)));
        counts.clear();
        return commands;
    }

    /** Every connection of a client has another port. */
    private static String withoutPort(String address) {
        return address.replaceFirst(":\\d+$", "");
    }

    private static String shorten(String text) {
        return text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS);
    }
}
