package habemus.harness.soak;

import static habemus.harness.soak.SoakReport.format;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.harness.faults.MajorityTimeline;
import habemus.harness.faults.RandomFaults;
import habemus.harness.history.GuardedResource;
import habemus.harness.history.HistoryChecker;
import habemus.harness.history.HistoryEvent;
import habemus.service.recording.ValidationResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of a soak of the lock service.
 *
 * @param recording the validation of the recorded steps, if the nodes recorded them
 */
record LockServiceSoakResult(
        LockServiceSoak soak,
        LockServiceSoak.Observations observations,
        EventCounts counts,
        HistoryChecker.Result result,
        Optional<ValidationResult> recording)
        implements SoakResult {

    private static final int MAX_SHOWN_VIOLATIONS = 20;

    /** How often each event is in the histories, and the writes to the guarded resource. */
    record EventCounts(Map<HistoryEvent.Kind, Long> events, long acceptedWrites, long rejectedWrites) {

        static EventCounts of(List<HistoryEvent> history, List<GuardedResource.Write> writes) {
            var counts = new EnumMap<HistoryEvent.Kind, Long>(HistoryEvent.Kind.class);
            for (var kind : HistoryEvent.Kind.values()) {
                counts.put(kind, 0L);
            }
            history.forEach(event -> counts.merge(event.kind(), 1L, Long::sum));
            long accepted =
                    writes.stream().filter(GuardedResource.Write::isAccepted).count();
            return new EventCounts(counts, accepted, writes.size() - accepted);
        }

        long count(HistoryEvent.Kind kind) {
            return events.getOrDefault(kind, 0L);
        }
    }

    LockServiceSoakResult withRecording(ValidationResult validated) {
        return new LockServiceSoakResult(soak, observations, counts, result, Optional.of(validated));
    }

    @Override
    public boolean hasPassed() {
        return result.violations().isEmpty()
                && outages().isEmpty()
                && recording.map(ValidationResult::isAccepted).orElse(true);
    }

    /** Gaps that are longer than allowed. */
    private List<MajorityTimeline.Gap> outages() {
        return observations.gaps().stream()
                .filter(gap -> gap.nanos() > soak.maxOutage().toNanos())
                .toList();
    }

    private double longestGap() {
        return observations.gaps().stream()
                        .mapToLong(MajorityTimeline.Gap::nanos)
                        .max()
                        .orElse(0)
                / 1e9;
    }

    @Override
    public String title(Soak run, double minutes) {
        return format(
                "%d nodes and %d clients as processes for %.1f minutes, seed %d; leases of %d s.",
                run.nodes(), soak.clients(), minutes, run.seed(), SoakClient.LEASE.toSeconds());
    }

    @Override
    public List<String> events() {
        var events = new ArrayList<String>();
        events.add("faults of clients: "
                + observations.clientFaults().entrySet().stream()
                        .map(times -> format("%d times a client was %s", times.getValue(), describe(times.getKey())))
                        .collect(Collectors.joining(", ")));
        observations.noPartitionsReason().ifPresent(reason -> events.add("**" + reason + "**"));
        Stream.of(RandomFaults.Kind.KILL, RandomFaults.Kind.LONG_PAUSE, RandomFaults.Kind.ISOLATION)
                .filter(fault -> observations.recoveries().stream().anyMatch(recovery -> recovery.fault() == fault))
                .forEach(fault -> events.add(recoveries(fault)));
        events.add(format(
                "with a majority up and connected, an uncontended lock was granted within %.2f s", longestGap()));
        events.addAll(clientEvents());
        return events;
    }

    private static String describe(RandomFaults.Kind kind) {
        return switch (kind) {
            case KILL -> "killed with SIGKILL and replaced";
            case SHORT_PAUSE -> "paused for less than its lease";
            case LONG_PAUSE -> "paused for longer than its lease";
            case ISOLATION -> "partitioned from all nodes";
            case LINK_CUT -> "partitioned from one node";
            case ONE_WAY_CUT -> "partitioned from one node in one direction";
        };
    }

    private String recoveries(RandomFaults.Kind fault) {
        var seconds = observations.recoveries().stream()
                .filter(recovery -> recovery.fault() == fault)
                .map(recovery -> recovery.after()
                        .map(time -> format(isWithinLimit(time) ? "%.2f" : "**%.2f**", time.toMillis() / 1e3))
                        .orElse("**never**"))
                .toList();
        var what = switch (fault) {
            case KILL -> "killed and restarted";
            case ISOLATION, LINK_CUT, ONE_WAY_CUT -> "partitioned from each other";
            case SHORT_PAUSE, LONG_PAUSE -> "paused";
        };
        return format(
                "%d times a majority of the nodes was %s; after it was healthy again, the service served within: %s s",
                seconds.size(), what, String.join(", ", seconds));
    }

    private boolean isWithinLimit(Duration time) {
        return time.compareTo(soak.maxOutage()) <= 0;
    }

    private List<String> clientEvents() {
        return List.of(
                format(
                        "%,d acquires were granted: %,d were released, %,d were lost with a notification, and of %,d"
                                + " the outcome is unknown; %,d acquires were not granted within 20 s",
                        counts.count(HistoryEvent.Kind.GRANTED),
                        counts.count(HistoryEvent.Kind.RELEASED),
                        counts.count(HistoryEvent.Kind.LOST),
                        counts.count(HistoryEvent.Kind.UNKNOWN),
                        counts.count(HistoryEvent.Kind.TIMED_OUT)),
                format("%,d times a client was elected", counts.count(HistoryEvent.Kind.ELECTED)),
                format(
                        "the guarded resource accepted %,d writes and rejected %,d",
                        counts.acceptedWrites, counts.rejectedWrites),
                format(
                        "%,d times a client was notified of a loss after the next grant, because it was paused (%,d"
                                + " pauses of more than 50 ms, most of them because the machine was busy)",
                        result.lateNotifications(), counts.count(HistoryEvent.Kind.STALLED)));
    }

    @Override
    public List<String> verdicts() {
        var lines = new ArrayList<String>();
        lines.add("| guarantee | violated |");
        lines.add("|---|---|");
        for (var rule : HistoryChecker.Rule.values()) {
            long times = result.violations().stream()
                    .filter(violation -> violation.rule() == rule)
                    .count();
            lines.add(row(rule.description(), times));
        }
        lines.add(row(
                format(
                        "the service serves within %.1f s, while the same majority is up and connected",
                        soak.maxOutage().toMillis() / 1e3),
                outages().size()));
        var details = new ArrayList<String>();
        result.violations().stream()
                .limit(MAX_SHOWN_VIOLATIONS)
                .forEach(violation -> details.add("- **" + violation.rule() + "**: " + violation.description()));
        outages().stream()
                .sorted(Comparator.comparingLong(MajorityTimeline.Gap::nanos).reversed())
                .limit(MAX_SHOWN_VIOLATIONS)
                .forEach(gap -> details.add("- **OUTAGE**: " + describe(gap)));
        if (!details.isEmpty()) {
            lines.add("");
            lines.addAll(details);
        }
        recording.ifPresent(run -> lines.addAll(describe(run)));
        return lines;
    }

    private static List<String> describe(ValidationResult run) {
        var lines = new ArrayList<>(List.of(
                "",
                format(
                        "%,d steps of the nodes were re-executed with the pure machines: %s.",
                        run.steps(), run.isAccepted() ? "all conform, and no property is violated" : "**rejected**")));
        run.differences().forEach(difference -> lines.add("- **" + difference + "**"));
        run.violations().forEach(violation -> lines.add("- **" + violation + "**"));
        run.notes().forEach(note -> lines.add("- " + note));
        return lines;
    }

    private static String row(String rule, long times) {
        return format("| %s | %s |", rule, times == 0 ? "never" : "**" + times + " times**");
    }

    private String describe(MajorityTimeline.Gap gap) {
        return format(
                "%.2f s, starting at %.2f s; the last change before its end: %s",
                gap.nanos() / 1e9, (gap.from() - observations.startNanos()) / 1e9, gap.lastChange());
    }

    @Override
    public void addTo(JsonObject json) {
        json.addProperty("clients", soak.clients());
        recording.ifPresent(run -> {
            json.addProperty("stepsValidated", run.steps());
            json.addProperty("stepsAccepted", run.isAccepted());
        });
        json.addProperty("noPartitionsReason", observations.noPartitionsReason().orElse(null));
        json.add("clientFaults", SoakReport.jsonCounts(observations.clientFaults()));
        var recoveries = new JsonArray();
        observations.recoveries().forEach(recovery -> {
            var object = new JsonObject();
            object.addProperty("fault", recovery.fault().name());
            object.addProperty(
                    "seconds",
                    recovery.after().map(time -> time.toMillis() / 1e3).orElse(null));
            recoveries.add(object);
        });
        json.add("recoveries", recoveries);
        json.addProperty("maxOutageSeconds", soak.maxOutage().toMillis() / 1e3);
        json.addProperty("longestGapSeconds", longestGap());
        json.add(
                "outages",
                SoakReport.jsonArray(outages().stream().map(this::describe).toList()));
        json.add("events", SoakReport.jsonCounts(counts.events));
        json.addProperty("writesAccepted", counts.acceptedWrites);
        json.addProperty("writesRejected", counts.rejectedWrites);
        json.addProperty("lateNotifications", result.lateNotifications());
        var violations = new JsonArray();
        result.violations().forEach(violation -> {
            var object = new JsonObject();
            object.addProperty("rule", violation.rule().toString());
            object.addProperty("description", violation.description());
            violations.add(object);
        });
        json.add("violations", violations);
    }
}
