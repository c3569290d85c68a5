package habemus.lab.compare;

import habemus.protocol.Envelope;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.PeriodicMessage;
import habemus.world.InFlightMessage;
import habemus.world.ObservableEvent;
import habemus.world.TraceEvent;
import habemus.world.ValueFormatter;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Reads a run line by line, and counts what it costs. */
final class TraceCostMeter implements Consumer<TraceEvent> {

    private final Map<NodeId, Long> messagesByNode = new TreeMap<>();
    private final Map<NodeId, Integer> chainLengthByNode = new TreeMap<>(); // of what each node knows
    private final Map<Long, Integer> chainLengthByMessage = new TreeMap<>();
    private long messages;
    private long messagesUntilLastResult; // when somebody got in, or named a leader, for the last time
    private int largestMessage;
    private long lastResultMicros;
    private int rounds;

    @Override
    public void accept(TraceEvent line) {
        if (line instanceof TraceEvent.NodeStep nodeStep) {
            onStep(nodeStep);
            nodeStep.sent().forEach(this::onSend);
        } else if (line instanceof TraceEvent.Observed(var at, var seen)
                && (seen instanceof ObservableEvent.Entered || seen instanceof ObservableEvent.LeaderAnnounced)) {
            messagesUntilLastResult = messages;
            lastResultMicros = at;
            rounds = Math.max(rounds, chainLength(seen));
        }
    }

    private void onSend(InFlightMessage inFlightMessage) {
        var message = Envelope.unwrap(inFlightMessage.message());
        if (!(message instanceof PeriodicMessage)) {
            messages++;
            chainLengthByMessage.put(
                    inFlightMessage.number(), 1 + chainLengthByNode.getOrDefault(inFlightMessage.from(), 0));
            messagesByNode.merge(inFlightMessage.from(), 1L, Long::sum);
            messagesByNode.merge(inFlightMessage.to(), 1L, Long::sum);
            largestMessage = Math.max(largestMessage, countValues(message));
        }
    }

    long messages() {
        return messages;
    }

    /** How many had been sent when the last one got in, or learned who leads. */
    long messagesUntilLastResult() {
        return messagesUntilLastResult;
    }

    /** When that was, in microseconds. */
    long lastResultMicros() {
        return lastResultMicros;
    }

    /** Messages in the longest chain that ended with news. */
    int rounds() {
        return rounds;
    }

    private void onStep(TraceEvent.NodeStep nodeStep) {
        if (nodeStep instanceof TraceEvent.Step step) {
            chainLengthByNode.merge(step.node(), chainLengthByMessage.getOrDefault(step.messageNumber(), 0), Math::max);
        }
    }

    private int chainLength(ObservableEvent seen) {
        return seen instanceof ObservableEvent.LeaderAnnounced leaderAnnounced
                ? chainLengthByNode.getOrDefault(leaderAnnounced.node(), 0)
                : 0;
    }

    int largestMessage() {
        return largestMessage;
    }

    /** The part of all messages that the busiest node sent or received. */
    double busiestNodeShare() {
        long most = messagesByNode.values().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
        return messages == 0 ? 0 : (double) most / messages;
    }

    /** How many numbers, ids and the like are in a message. */
    static int countValues(Object value) {
        return switch (value) {
            case NodeId id -> 1;
            case NodeSet set -> set.size();
            case Collection<?> some ->
                some.stream().mapToInt(TraceCostMeter::countValues).sum();
            case Map<?, ?> map -> countValues(map.keySet()) + countValues(map.values());
            case Record fields -> countValues(ValueFormatter.componentValues(fields));
            default -> 1;
        };
    }
}
