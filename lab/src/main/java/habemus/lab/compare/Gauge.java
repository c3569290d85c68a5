package habemus.lab.compare;

import habemus.protocol.Background;
import habemus.protocol.Envelope;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Happening;
import habemus.world.Mail;
import habemus.world.TraceLine;
import habemus.world.Wording;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Reads a run line by line, and counts what it costs. */
final class Gauge implements Consumer<TraceLine> {

    private final Map<NodeId, Long> load = new TreeMap<>();
    private final Map<NodeId, Integer> depth = new TreeMap<>(); // of what each node knows
    private final Map<Long, Integer> underWay = new TreeMap<>();
    private long messages;
    private long messagesThen; // when somebody got in, or named a leader, for the last time
    private int largest;
    private long lastNews;
    private int rounds;

    @Override
    public void accept(TraceLine line) {
        if (line instanceof TraceLine.Acted acted) {
            hear(acted);
            acted.sent().forEach(this::count);
        } else if (line instanceof TraceLine.Seen(var at, var seen)
                && (seen instanceof Happening.Entered || seen instanceof Happening.Named)) {
            messagesThen = messages;
            lastNews = at;
            rounds = Math.max(rounds, news(seen));
        }
    }

    private void count(Mail mail) {
        var message = Envelope.open(mail.message());
        if (!(message instanceof Background)) {
            messages++;
            underWay.put(mail.number(), 1 + depth.getOrDefault(mail.from(), 0));
            load.merge(mail.from(), 1L, Long::sum);
            load.merge(mail.to(), 1L, Long::sum);
            largest = Math.max(largest, values(message));
        }
    }

    long messages() {
        return messages;
    }

    /** How many had been sent when the last one got in, or learned who leads. */
    long messagesThen() {
        return messagesThen;
    }

    /** When that was, in microseconds. */
    long lastNews() {
        return lastNews;
    }

    /** Messages in the longest chain that ended with news. */
    int rounds() {
        return rounds;
    }

    private void hear(TraceLine.Acted acted) {
        if (acted instanceof TraceLine.Stepped step) {
            depth.merge(step.node(), underWay.getOrDefault(step.mail(), 0), Math::max);
        }
    }

    private int news(Happening seen) {
        return seen instanceof Happening.Named named ? depth.getOrDefault(named.node(), 0) : 0;
    }

    int largest() {
        return largest;
    }

    /** The part of all messages that the busiest node sent or received. */
    double busiest() {
        long most = load.values().stream().mapToLong(Long::longValue).max().orElse(0);
        return messages == 0 ? 0 : (double) most / messages;
    }

    /** How many numbers, ids and the like are in a message. */
    static int values(Object value) {
        return switch (value) {
            case NodeId id -> 1;
            case NodeSet set -> set.size();
            case Collection<?> some -> some.stream().mapToInt(Gauge::values).sum();
            case Map<?, ?> map -> values(map.keySet()) + values(map.values());
            case Record fields -> values(Wording.contents(fields));
            default -> 1;
        };
    }
}
