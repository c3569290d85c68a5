package habemus.harness.soak;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.protocol.FailureAware;
import habemus.protocol.NodeId;
import habemus.service.trace.RecordedRun;
import habemus.simulate.RunResult;
import habemus.world.Fault;
import habemus.world.NetworkModel;
import habemus.world.Property;
import habemus.world.Verdict;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The result of a soak of classic algorithms. */
record AlgorithmSoakResult(AlgorithmSoak soak, AlgorithmSoak.ClientStats clientStats, List<GroupResult> groups)
        implements SoakResult {

    /**
     * The recorded run of one lock or election.
     *
     * @param incarnations number of traces: one for each start of a node
     * @param terms of an election: number of terms in which a node was named as leader
     * @param guaranteed what the algorithm guarantees under the injected faults
     */
    record GroupResult(
            String group,
            String algorithm,
            int incarnations,
            long steps,
            long messages,
            long entries,
            long terms,
            List<String> differences,
            List<String> notes,
            Map<Property, Verdict> verdicts,
            Set<Property> guaranteed) {

        static GroupResult of(RecordedRun recordedRun) {
            var result = recordedRun.runResult();
            return new GroupResult(
                    recordedRun.header().problem() + " " + recordedRun.header().group(),
                    recordedRun.algorithmSpec().text(),
                    recordedRun.traceCount(),
                    result.steps(),
                    result.messages() + result.heartbeats(),
                    result.entries(),
                    result.announcements().stream()
                            .map(RunResult.LeaderAnnouncement::term)
                            .distinct()
                            .count(),
                    recordedRun.differences(),
                    recordedRun.notes(),
                    result.verdicts(),
                    guaranteed(recordedRun));
        }

        private static Set<Property> guaranteed(RecordedRun recordedRun) {
            var spec = recordedRun.algorithmSpec();
            int nodes = recordedRun.header().nodeCount();
            var node = new NodeId(1);
            var faults = new ArrayList<Fault>(
                    List.of(new Fault.Crash(node), new Fault.Restart(node, false), new Fault.Pause(node)));
            if (spec.protocol(nodes) instanceof FailureAware) { // other algorithms do not use the detector
                faults.add(new Fault.WrongSuspicion(node, new NodeId(nodes)));
            }
            var world = World.of(spec.topology(nodes))
                    .withNetwork(NetworkModel.LOSSY)
                    .withFaults(faults.stream()
                            .map(fault -> new Fault.PlannedFault(Duration.ZERO, fault))
                            .toList());
            return spec.algorithm().guaranteed(spec.parameters(), world);
        }

        boolean hasPassed() {
            return differences.isEmpty()
                    && guaranteed.stream().noneMatch(property -> verdicts.get(property) == Verdict.VIOLATED);
        }

        private String verdictText(boolean isGuaranteed) {
            return verdicts.entrySet().stream()
                    .filter(verdict -> guaranteed.contains(verdict.getKey()) == isGuaranteed)
                    .map(verdict -> verdict.getKey() + " " + verdict.getValue())
                    .collect(Collectors.joining(", "));
        }
    }

    @Override
    public boolean hasPassed() {
        return groups.stream().allMatch(GroupResult::hasPassed);
    }

    @Override
    public String title(Soak run, double minutes) {
        return SoakReport.format(
                "%d processes for %.1f minutes, seed %d; locks by `%s`, elections by `%s`.",
                run.nodes(), minutes, run.seed(), soak.mutex(), soak.election());
    }

    @Override
    public List<String> events() {
        return List.of(
                SoakReport.format(
                        "%,d times a client acquired and released a lock; %,d times the lock was not granted, or the"
                                + " node did not answer",
                        clientStats.entries(), clientStats.failures()),
                clientStats
                        .secondsToSettle()
                        .map(seconds -> SoakReport.format(
                                "%.1f s after the last fault was healed, every lock had been granted at every node, and"
                                        + " all nodes named the same leader",
                                seconds))
                        .orElse("**the cluster did not settle** after the last fault was healed"));
    }

    @Override
    public List<String> verdicts() {
        var lines = new ArrayList<String>();
        lines.add("| group | entries, or terms | incarnations | steps replayed | messages | guaranteed |"
                + " not guaranteed |");
        lines.add("|---|---|---|---|---|---|---|");
        for (GroupResult group : groups) {
            lines.add(SoakReport.format(
                    "| %s | %,d | %d | %,d | %,d | %s | %s |",
                    group.group,
                    Math.max(group.entries, group.terms),
                    group.incarnations,
                    group.steps,
                    group.messages,
                    group.verdictText(true),
                    group.verdictText(false)));
        }
        groups.forEach(group -> Stream.concat(group.differences.stream(), group.notes.stream())
                .forEach(note -> lines.addAll(List.of("", group.group + ": " + note))));
        long steps = groups.stream().mapToLong(GroupResult::steps).sum();
        boolean same = groups.stream().allMatch(group -> group.differences.isEmpty());
        lines.add("");
        lines.add(SoakReport.format(
                "%,d steps were replayed with the pure state machine: %s.",
                steps, same ? "all match the traces" : "**not all match the traces**"));
        return lines;
    }

    @Override
    public void addTo(JsonObject json) {
        json.addProperty("locks", soak.mutex().text());
        json.addProperty("elections", soak.election().text());
        json.addProperty("entries", clientStats.entries());
        json.addProperty("failures", clientStats.failures());
        json.addProperty("secondsToSettle", clientStats.secondsToSettle().orElse(null));
        var rows = new JsonArray();
        groups.forEach(group -> rows.add(json(group)));
        json.add("groups", rows);
    }

    private static JsonObject json(GroupResult group) {
        var row = new JsonObject();
        row.addProperty("group", group.group);
        row.addProperty("algorithm", group.algorithm);
        row.addProperty("incarnations", group.incarnations);
        row.addProperty("steps", group.steps);
        row.addProperty("messages", group.messages);
        row.addProperty("entries", group.entries);
        row.addProperty("terms", group.terms);
        row.add("differences", SoakReport.jsonArray(group.differences));
        row.add("notes", SoakReport.jsonArray(group.notes));
        var verdicts = new JsonObject();
        group.verdicts.forEach((property, verdict) -> verdicts.addProperty(property.toString(), verdict.toString()));
        row.add("verdicts", verdicts);
        row.add(
                "guaranteed",
                SoakReport.jsonArray(
                        group.guaranteed.stream().map(Property::toString).toList()));
        return row;
    }
}
