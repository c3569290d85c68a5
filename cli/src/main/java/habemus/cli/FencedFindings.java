package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What came out of a soak of the production service. */
record FencedSoakReport(FencedSoak soak, FencedSoak.Campaign campaign, Seen seen, HistoryJudge.Verdict verdict) {

    static final Duration BACK = Duration.ofSeconds(2); // so soon it serves after a majority is back

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

    boolean isFine() {
        return verdict.violations().isEmpty() && campaign.troubles().isEmpty() && isBackInTime();
    }

    private boolean isBackInTime() {
        return campaign.returns().stream()
                .allMatch(back -> back.after().isPresent() && back.after().get().compareTo(BACK) <= 0);
    }

    String text() {
        var lines = new ArrayList<String>();
        lines.add(said(
                "%d nodes and %d clients as processes for %.1f minutes, seed %d; leases of %d s.",
                soak.nodes(), soak.clients(), campaign.seconds() / 60, soak.seed(), SoakClient.LEASE.toSeconds()));
        lines.add("");
        campaign.onNodes().forEach((kind, times) -> lines.add("- " + times + " times a node was " + kind.words()));
        lines.add(said(
                "- %d times a client was killed with kill -9, and another one came; %d times one was stopped for a"
                        + " moment, %d times for longer than its lease",
                campaign.onClients().getOrDefault(Strikes.Kind.KILL, 0),
                campaign.onClients().getOrDefault(Strikes.Kind.SHORT_STOP, 0),
                campaign.onClients().getOrDefault(Strikes.Kind.LONG_STOP, 0)));
        lines.add(returns(true));
        lines.add(returns(false));
        lines.add(said(
                "- with a majority up, a lock that nobody else wanted was granted after %.1f s at the latest",
                campaign.gap().toMillis() / 1e3));
        lines.addAll(sights());
        campaign.troubles().forEach(trouble -> lines.add("- **" + trouble + "**"));
        lines.add("");
        lines.addAll(verdicts());
        return String.join("\n", lines) + "\n";
    }

    private String returns(boolean killed) {
        var some = campaign.returns().stream()
                .filter(back -> back.killed() == killed)
                .map(back -> back.after()
                        .map(time -> said(time.compareTo(BACK) <= 0 ? "%.2f" : "**%.2f**", time.toMillis() / 1e3))
                        .orElse("**never**"))
                .toList();
        return said(
                "- %d times a majority of the nodes was %s; after it was back, the service served within: %s s",
                some.size(), killed ? "killed and started again" : "stopped", String.join(", ", some));
    }

    private List<String> sights() {
        return List.of(
                said(
                        "- %,d times a client was let in: %,d times it gave everything back, %,d times it was told that"
                                + " it lost it, %,d times it does not know; %,d times it was not let in within 20 s",
                        seen.count(Moment.Kind.GRANTED),
                        seen.count(Moment.Kind.RELEASED),
                        seen.count(Moment.Kind.LOST),
                        seen.count(Moment.Kind.UNKNOWN),
                        seen.count(Moment.Kind.GIVEN_UP)),
                said("- %,d times a client was elected", seen.count(Moment.Kind.ELECTED)),
                said("- the guarded resource took %,d writes and refused %,d", seen.taken, seen.refused),
                said(
                        "- %,d times a client was told after another had its lock, since it stood still (as it did %,d"
                                + " times for longer than 50 ms, most often since others used the machine)",
                        verdict.late(), seen.count(Moment.Kind.STALLED)));
    }

    private List<String> verdicts() {
        var lines = new ArrayList<String>();
        lines.add("| judged | violated |");
        lines.add("|---|---|");
        for (var rule : HistoryJudge.Rule.values()) {
            long times = verdict.violations().stream()
                    .filter(violation -> violation.rule() == rule)
                    .count();
            lines.add(said("| %s | %s |", rule.words(), times == 0 ? "never" : "**" + times + " times**"));
        }
        lines.add(said(
                "| the service serves within %d s of a majority's return | %s |",
                BACK.toSeconds(), isBackInTime() ? "never" : "**see above**"));
        lines.add("");
        verdict.violations().stream()
                .limit(SHOWN)
                .forEach(violation -> lines.add("- **" + violation.rule() + "**: " + violation.what()));
        lines.add(isFine() ? "Nothing that is promised was violated." : "**Something is wrong.**");
        return lines;
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is Error Prone's own, and no library of ours
    private static String said(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    JsonObject json() {
        var json = new JsonObject();
        json.addProperty("nodes", soak.nodes());
        json.addProperty("clients", soak.clients());
        json.addProperty("seconds", campaign.seconds());
        json.addProperty("seed", soak.seed());
        json.add("faultsOfNodes", counts(campaign.onNodes()));
        json.add("faultsOfClients", counts(campaign.onClients()));
        var returns = new JsonArray();
        campaign.returns().forEach(back -> {
            var one = new JsonObject();
            one.addProperty("killed", back.killed());
            one.addProperty(
                    "seconds", back.after().map(time -> time.toMillis() / 1e3).orElse(null));
            returns.add(one);
        });
        json.add("returns", returns);
        json.addProperty("longestGap", campaign.gap().toMillis() / 1e3);
        json.add("seen", counts(seen.moments));
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
        var troubles = new JsonArray();
        campaign.troubles().forEach(troubles::add);
        json.add("troubles", troubles);
        json.addProperty("fine", isFine());
        return json;
    }

    private static JsonObject counts(Map<? extends Enum<?>, ? extends Number> counts) {
        var json = new JsonObject();
        counts.forEach((kind, times) -> json.addProperty(kind.name(), times));
        return json;
    }
}
