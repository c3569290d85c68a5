package habemus.cli.serve;

import habemus.lab.command.CommandException;
import habemus.lockservice.Quotas;
import habemus.lockservice.Usage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The option {@code --quota}: how much the lock table may store, as {@code NAME=N,…}. */
final class QuotaOption {

    static final String NAME = "--quota";

    private static final String PER_PRINCIPAL = "-per-principal";
    private static final List<String> KINDS = List.of("sessions", "names", "waiters", "bytes");
    private static final Pattern LIMIT = Pattern.compile("([a-z-]+)=([0-9]{1,15})([KMG]?)");
    private static final String HINT = "write --quota names=100000,bytes=512M,sessions-per-principal=1000";

    private QuotaOption() {}

    /** A quota that is not in the text keeps its default. That of a principal is half of the total. */
    static Quotas parse(String text, Quotas defaults) {
        var limits = new HashMap<String, Long>();
        for (var part : text.split(",", -1)) {
            var matcher = LIMIT.matcher(part.strip());
            if (!matcher.matches() || !KINDS.contains(matcher.group(1).replace(PER_PRINCIPAL, ""))) {
                throw CommandException.usage(
                        "a quota must be NAME=N with " + String.join(", ", KINDS) + " or one of them with "
                                + PER_PRINCIPAL + ", was '" + part + "'",
                        HINT);
            }
            limits.put(matcher.group(1), Long.parseLong(matcher.group(2)) * unit(matcher.group(3)));
        }
        var total = usage(limits, "", defaults.total());
        var halves = new Usage(total.sessions() / 2, total.names() / 2, total.waiters() / 2, total.bytes() / 2);
        return new Quotas(total, usage(limits, PER_PRINCIPAL, halves));
    }

    private static long unit(String suffix) {
        return switch (suffix) {
            case "K" -> 1L << 10;
            case "M" -> 1L << 20;
            case "G" -> 1L << 30;
            default -> 1;
        };
    }

    private static Usage usage(Map<String, Long> limits, String suffix, Usage defaults) {
        return new Usage(
                limits.getOrDefault("sessions" + suffix, defaults.sessions()),
                limits.getOrDefault("names" + suffix, defaults.names()),
                limits.getOrDefault("waiters" + suffix, defaults.waiters()),
                limits.getOrDefault("bytes" + suffix, defaults.bytes()));
    }
}
