package habemus.course.servers.load;

import java.util.List;

/**
 * A server under open-loop load of one rate.
 *
 * @param rate offered requests a second
 */
public record LoadPoint(ServerSettings settings, double rate, LoadOutcome outcome, List<ServerSample> samples) {

    private static final double KEPT_UP_SHARE = 0.9;

    /** Whether the server serves less than 90 % of the offered rate. */
    public boolean isSaturated() {
        return outcome.servedPerSecond() < KEPT_UP_SHARE * rate;
    }

    public int peakThreads() {
        return samples.stream()
                .mapToInt(sample -> sample.statistics().threads())
                .max()
                .orElse(0);
    }

    public int peakConnections() {
        return samples.stream()
                .mapToInt(sample -> sample.statistics().connections())
                .max()
                .orElse(0);
    }

    /** The longest queue of a stage; zero if the server has no such stage. */
    public int peakQueue(String stage) {
        return samples.stream()
                .mapToInt(sample -> sample.statistics().queues().getOrDefault(stage, 0))
                .max()
                .orElse(0);
    }

    /** The stages with a queue, in order. */
    public List<String> stages() {
        return samples.stream()
                .findFirst()
                .map(sample -> List.copyOf(sample.statistics().queues().keySet()))
                .orElse(List.of());
    }
}
