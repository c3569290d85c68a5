package habemus.cli;

import static habemus.cli.SoakReport.said;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What came out of a soak of the production service. */
record FencedFindings(FencedSoak soak, FencedSoak.Campaign campaign, Seen seen, HistoryJudge.Verdict verdict)
        implements SoakFindings {

    private static final int SHOWN = 20; // violations

    /** How often what happened. */
    record Seen(Map<Moment.Kind, Long> moments, long taken, long refused) {

        static Seen of(List<Moment> history, List<GuardedResource.Write> writes) {
            var counts = new EnumMap<Moment.Kind, Long>(Moment.Kind.class);
            for (var kind : Moment.Kind.values()) {
                counts.put(kind, 0L);
            }
            history.forEach(moment -> counts.merge(moment.kind(), 1L, Long::sum));
            long taken = writes.stream().filter(GuardedResource.Write::accepted).count();
            return new Seen(counts, taken, writes.size() - taken);
        }

        long count(Moment.Kind kind) {
            return moments.getOrDefault(kind, 0L);
        }
    }

    @Override
    public boolean areFine() {
        return verdict.violations().isEmpty() && outages().isEmpty();
    }

    /** It should have served. */
    private List<Majority.Gap> outages() {
        return campaign.gaps().stream()
                .filter(gap -> gap.nanos() > soak.patience().toNanos())
                .toList();
    }

    private double longestGap() {
        return campaign.gaps().stream().mapToLong(Majority.Gap::nanos).max().orElse(0) / 1e9;
    }

    @Override
    public String title(Soak how, double minutes) {
        return said(
                "%d nodes and %d clients as processes for %.1f minutes, seed %d; leases of %d s.",
                how.nodes(), soak.clients(), minutes, how.seed(), SoakClient.LEASE.toSeconds());
    }

    @Override
    public List<String> events() {
        var events = new ArrayList<String>();
        events.add("of clients: "
                + campaign.onClients().entrySet().stream()
                        .map(times -> said("%d times one was %s", times.getValue(), words(times.getKey())))
                        .collect(Collectors.joining(", ")));
        campaign.uncut().ifPresent(why -> events.add("**" + why + "**"));
        Stream.of(Strikes.Kind.KILL, Strikes.Kind.LONG_STOP, Strikes.Kind.ISOLATION)
                .filter(how -> campaign.returns().stream().anyMatch(back -> back.how() == how))
                .forEach(how -> events.add(returns(how)));
        events.add(said(
                "with a majority up and connected, a lock that nobody else wanted was granted after %.2f s at the"
                        + " latest",
                longestGap()));
        events.addAll(sights());
        return events;
    }

    private static String words(Strikes.Kind kind) {
        return switch (kind) {
            case KILL -> "killed with kill -9, and another one came";
            case SHORT_STOP -> "stopped for a moment";
            case LONG_STOP -> "stopped for longer than its lease";
            case ISOLATION -> "cut off from all nodes";
            case CUT -> "cut off from one node";
            case ONE_WAY -> "cut off from one node in one direction";
        };
    }

    private String returns(Strikes.Kind how) {
        var some = campaign.returns().stream()
                .filter(back -> back.how() == how)
                .map(back -> back.after()
                        .map(time -> said(isSoon(time) ? "%.2f" : "**%.2f**", time.toMillis() / 1e3))
                        .orElse("**never**"))
                .toList();
        var gone = switch (how) {
            case KILL -> "killed and started again";
            case ISOLATION, CUT, ONE_WAY -> "cut off from each other";
            case SHORT_STOP, LONG_STOP -> "stopped";
        };
        return said(
                "%d times a majority of the nodes was %s; after it was back, the service served within: %s s",
                some.size(), gone, String.join(", ", some));
    }

    private boolean isSoon(Duration time) {
        return time.compareTo(soak.patience()) <= 0;
    }

    private List<String> sights() {
        return List.of(
                said(
                        "%,d times a client was let in: %,d times it gave everything back, %,d times it was told that"
                                + " it lost it, %,d times it does not know; %,d times it was not let in within 20 s",
                        seen.count(Moment.Kind.GRANTED),
                        seen.count(Moment.Kind.RELEASED),
                        seen.count(Moment.Kind.LOST),
                        seen.count(Moment.Kind.UNKNOWN),
                        seen.count(Moment.Kind.GIVEN_UP)),
                said("%,d times a client was elected", seen.count(Moment.Kind.ELECTED)),
                said("the guarded resource took %,d writes and refused %,d", seen.taken, seen.refused),
                said(
                        "%,d times a client was told after another had its lock, since it stood still (as it did %,d"
                                + " times for longer than 50 ms, most often since others used the machine)",
                        verdict.late(), seen.count(Moment.Kind.STALLED)));
    }

    @Override
    public List<String> judged() {
        var lines = new ArrayList<String>();
        lines.add("| judged | violated |");
        lines.add("|---|---|");
        for (var rule : HistoryJudge.Rule.values()) {
            long times = verdict.violations().stream()
                    .filter(violation -> violation.rule() == rule)
                    .count();
            lines.add(row(rule.words(), times));
        }
        lines.add(row(
                said(
                        "the service serves within %.1f s, while the same majority is up and connected",
                        soak.patience().toMillis() / 1e3),
                outages().size()));
        var details = new ArrayList<String>();
        verdict.violations().stream()
                .limit(SHOWN)
                .forEach(violation -> details.add("- **" + violation.rule() + "**: " + violation.what()));
        outages().stream()
                .sorted(Comparator.comparingLong(Majority.Gap::nanos).reversed())
                .limit(SHOWN)
                .forEach(gap -> details.add("- **NOT SERVED**: " + words(gap)));
        if (!details.isEmpty()) {
            lines.add("");
            lines.addAll(details);
        }
        return lines;
    }

    private static String row(String rule, long times) {
        return said("| %s | %s |", rule, times == 0 ? "never" : "**" + times + " times**");
    }

    private String words(Majority.Gap gap) {
        return said(
                "for %.2f s, from %.2f s on; the last fault or mend before it ended: %s",
                gap.nanos() / 1e9, (gap.from() - campaign.begun()) / 1e9, gap.last());
    }

    @Override
    public void addTo(JsonObject json) {
        json.addProperty("clients", soak.clients());
        json.addProperty("uncut", campaign.uncut().orElse(null));
        json.add("faultsOfClients", SoakReport.counts(campaign.onClients()));
        var returns = new JsonArray();
        campaign.returns().forEach(back -> {
            var one = new JsonObject();
            one.addProperty("after", back.how().name());
            one.addProperty(
                    "seconds", back.after().map(time -> time.toMillis() / 1e3).orElse(null));
            returns.add(one);
        });
        json.add("returns", returns);
        json.addProperty("patience", soak.patience().toMillis() / 1e3);
        json.addProperty("longestGap", longestGap());
        json.add("outages", SoakReport.texts(outages().stream().map(this::words).toList()));
        json.add("seen", SoakReport.counts(seen.moments));
        json.addProperty("writesTaken", seen.taken);
        json.addProperty("writesRefused", seen.refused);
        json.addProperty("toldLateSinceStopped", verdict.late());
        var violations = new JsonArray();
        verdict.violations().forEach(violation -> {
            var one = new JsonObject();
            one.addProperty("rule", violation.rule().toString());
            one.addProperty("what", violation.what());
            violations.add(one);
        });
        json.add("violations", violations);
    }
}
