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

/** Counts the costs of a run from its trace events. */
final class TraceCostMeter implements Consumer<TraceEvent> {

    private final Map<NodeId, Long> messagesByNode = new TreeMap<>();
    private final Map<NodeId, Integer> chainLengthByNode = new TreeMap<>(); // longest causal chain of messages
    private final Map<Long, Integer> chainLengthByMessage = new TreeMap<>();
    private long messages;
    private long messagesUntilLastResult; // until the last entry or leader announcement
    private int largestMessage;
    private long lastResultMicros;
    private int rounds;

    @Override
    public void accept(TraceEvent event) {
        if (event instanceof TraceEvent.NodeStep nodeStep) {
            onStep(nodeStep);
            nodeStep.sent().forEach(this::onSend);
        } else if (event instanceof TraceEvent.Observed(var at, var seen)
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

    /** Messages sent before the last entry or leader announcement. */
    long messagesUntilLastResult() {
        return messagesUntilLastResult;
    }

    /** The time of the last entry or leader announcement. */
    long lastResultMicros() {
        return lastResultMicros;
    }

    /** Messages in the longest causal chain that ended with a leader announcement. */
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

    /** The share of all messages that the busiest node sent or received. */
    double busiestNodeShare() {
        long max = messagesByNode.values().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
        return messages == 0 ? 0 : (double) max / messages;
    }

    /** The number of numbers, ids and other values in a message. */
    static int countValues(Object value) {
        return switch (value) {
            case NodeId id -> 1;
            case NodeSet set -> set.size();
            case Collection<?> collection ->
                collection.stream().mapToInt(TraceCostMeter::countValues).sum();
            case Map<?, ?> map -> countValues(map.keySet()) + countValues(map.values());
            case Record fields -> countValues(ValueFormatter.componentValues(fields));
            default -> 1;
        };
    }
}
