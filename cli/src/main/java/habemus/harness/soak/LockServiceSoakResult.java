package habemus.harness.soak;

import static habemus.harness.soak.SoakReport.format;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.harness.faults.MajorityTimeline;
import habemus.harness.faults.RandomFaults;
import habemus.harness.history.GuardedResource;
import habemus.harness.history.HistoryChecker;
import habemus.harness.history.HistoryEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What came out of a soak of the production service. */
record LockServiceSoakResult(
        LockServiceSoak soak,
        LockServiceSoak.Observations observations,
        EventCounts counts,
        HistoryChecker.Result result)
        implements SoakResult {

    private static final int MAX_SHOWN_VIOLATIONS = 20; // violations

    /** How often what happened. */
    record EventCounts(Map<HistoryEvent.Kind, Long> events, long acceptedWrites, long rejectedWrites) {

        static EventCounts of(List<HistoryEvent> history, List<GuardedResource.Write> writes) {
            var counts = new EnumMap<HistoryEvent.Kind, Long>(HistoryEvent.Kind.class);
            for (var kind : HistoryEvent.Kind.values()) {
                counts.put(kind, 0L);
            }
            history.forEach(historyEvent -> counts.merge(historyEvent.kind(), 1L, Long::sum));
            long taken =
                    writes.stream().filter(GuardedResource.Write::isAccepted).count();
            return new EventCounts(counts, taken, writes.size() - taken);
        }

        long count(HistoryEvent.Kind kind) {
            return events.getOrDefault(kind, 0L);
        }
    }

    @Override
    public boolean hasPassed() {
        return result.violations().isEmpty() && outages().isEmpty();
    }

    /** It should have served. */
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
    public String title(Soak how, double minutes) {
        return format(
                "%d nodes and %d clients as processes for %.1f minutes, seed %d; leases of %d s.",
                how.nodes(), soak.clients(), minutes, how.seed(), SoakClient.LEASE.toSeconds());
    }

    @Override
    public List<String> events() {
        var events = new ArrayList<String>();
        events.add("of clients: "
                + observations.clientFaults().entrySet().stream()
                        .map(times -> format("%d times one was %s", times.getValue(), describe(times.getKey())))
                        .collect(Collectors.joining(", ")));
        observations.noPartitionsReason().ifPresent(why -> events.add("**" + why + "**"));
        Stream.of(RandomFaults.Kind.KILL, RandomFaults.Kind.LONG_PAUSE, RandomFaults.Kind.ISOLATION)
                .filter(how -> observations.recoveries().stream().anyMatch(back -> back.fault() == how))
                .forEach(how -> events.add(recoveries(how)));
        events.add(format(
                "with a majority up and connected, a lock that nobody else wanted was granted after %.2f s at the"
                        + " latest",
                longestGap()));
        events.addAll(clientEvents());
        return events;
    }

    private static String describe(RandomFaults.Kind kind) {
        return switch (kind) {
            case KILL -> "killed with kill -9, and another one came";
            case SHORT_PAUSE -> "stopped for a moment";
            case LONG_PAUSE -> "stopped for longer than its lease";
            case ISOLATION -> "cut off from all nodes";
            case LINK_CUT -> "cut off from one node";
            case ONE_WAY_CUT -> "cut off from one node in one direction";
        };
    }

    private String recoveries(RandomFaults.Kind how) {
        var some = observations.recoveries().stream()
                .filter(back -> back.fault() == how)
                .map(back -> back.after()
                        .map(time -> format(isWithinLimit(time) ? "%.2f" : "**%.2f**", time.toMillis() / 1e3))
                        .orElse("**never**"))
                .toList();
        var gone = switch (how) {
            case KILL -> "killed and started again";
            case ISOLATION, LINK_CUT, ONE_WAY_CUT -> "cut off from each other";
            case SHORT_PAUSE, LONG_PAUSE -> "stopped";
        };
        return format(
                "%d times a majority of the nodes was %s; after it was back, the service served within: %s s",
                some.size(), gone, String.join(", ", some));
    }

    private boolean isWithinLimit(Duration time) {
        return time.compareTo(soak.maxOutage()) <= 0;
    }

    private List<String> clientEvents() {
        return List.of(
                format(
                        "%,d times a client was let in: %,d times it gave everything back, %,d times it was told that"
                                + " it lost it, %,d times it does not know; %,d times it was not let in within 20 s",
                        counts.count(HistoryEvent.Kind.GRANTED),
                        counts.count(HistoryEvent.Kind.RELEASED),
                        counts.count(HistoryEvent.Kind.LOST),
                        counts.count(HistoryEvent.Kind.UNKNOWN),
                        counts.count(HistoryEvent.Kind.TIMED_OUT)),
                format("%,d times a client was elected", counts.count(HistoryEvent.Kind.ELECTED)),
                format(
                        "the guarded resource took %,d writes and refused %,d",
                        counts.acceptedWrites, counts.rejectedWrites),
                format(
                        "%,d times a client was told after another had its lock, since it stood still (as it did %,d"
                                + " times for longer than 50 ms, most often since others used the machine)",
                        result.lateNotifications(), counts.count(HistoryEvent.Kind.STALLED)));
    }

    @Override
    public List<String> verdicts() {
        var lines = new ArrayList<String>();
        lines.add("| judged | violated |");
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
                .forEach(violation -> details.add("- **" + violation.rule() + "**: " + violation.what()));
        outages().stream()
                .sorted(Comparator.comparingLong(MajorityTimeline.Gap::nanos).reversed())
                .limit(MAX_SHOWN_VIOLATIONS)
                .forEach(gap -> details.add("- **NOT SERVED**: " + describe(gap)));
        if (!details.isEmpty()) {
            lines.add("");
            lines.addAll(details);
        }
        return lines;
    }

    private static String row(String rule, long times) {
        return format("| %s | %s |", rule, times == 0 ? "never" : "**" + times + " times**");
    }

    private String describe(MajorityTimeline.Gap gap) {
        return format(
                "for %.2f s, from %.2f s on; the last fault or mend before it ended: %s",
                gap.nanos() / 1e9, (gap.from() - observations.startNanos()) / 1e9, gap.lastChange());
    }

    @Override
    public void addTo(JsonObject json) {
        json.addProperty("clients", soak.clients());
        json.addProperty("uncut", observations.noPartitionsReason().orElse(null));
        json.add("faultsOfClients", SoakReport.jsonCounts(observations.clientFaults()));
        var returns = new JsonArray();
        observations.recoveries().forEach(back -> {
            var one = new JsonObject();
            one.addProperty("after", back.fault().name());
            one.addProperty(
                    "seconds", back.after().map(time -> time.toMillis() / 1e3).orElse(null));
            returns.add(one);
        });
        json.add("returns", returns);
        json.addProperty("patience", soak.maxOutage().toMillis() / 1e3);
        json.addProperty("longestGap", longestGap());
        json.add(
                "outages",
                SoakReport.jsonArray(outages().stream().map(this::describe).toList()));
        json.add("seen", SoakReport.jsonCounts(counts.events));
        json.addProperty("writesTaken", counts.acceptedWrites);
        json.addProperty("writesRefused", counts.rejectedWrites);
        json.addProperty("toldLateSinceStopped", result.lateNotifications());
        var violations = new JsonArray();
        result.violations().forEach(violation -> {
            var one = new JsonObject();
            one.addProperty("rule", violation.rule().toString());
            one.addProperty("what", violation.what());
            violations.add(one);
        });
        json.add("violations", violations);
    }
}
