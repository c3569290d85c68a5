package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.protocol.NodeId;
import habemus.protocol.Watchful;
import habemus.service.record.Recorded;
import habemus.simulate.Outcome;
import habemus.world.Fault;
import habemus.world.Network;
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

/** What came out of a soak of algorithms of the catalogue. */
record ClassicFindings(ClassicSoak soak, ClassicSoak.Visits visits, List<Judged> groups) implements SoakFindings {

    /**
     * What became of one lock or election.
     *
     * @param lives how many traces there are of it: one for each start of a node
     * @param terms in how many somebody was named as leader, for an election
     */
    record Judged(
            String group,
            String recipe,
            int lives,
            long steps,
            long messages,
            long entries,
            long terms,
            List<String> differences,
            List<String> notes,
            Map<Property, Verdict> verdicts,
            Set<Property> promised) {

        static Judged of(Recorded recorded) {
            var outcome = recorded.outcome();
            return new Judged(
                    recorded.head().problem() + " " + recorded.head().group(),
                    recorded.recipe().text(),
                    recorded.traces(),
                    outcome.steps(),
                    outcome.messages() + outcome.heartbeats(),
                    outcome.entries(),
                    outcome.elected().stream()
                            .map(Outcome.Elected::term)
                            .distinct()
                            .count(),
                    recorded.differences(),
                    recorded.notes(),
                    outcome.verdicts(),
                    promised(recorded));
        }

        /** In a world like this one. */
        private static Set<Property> promised(Recorded recorded) {
            var recipe = recorded.recipe();
            int nodes = recorded.head().nodes();
            var node = new NodeId(1);
            var faults = new ArrayList<Fault>(
                    List.of(new Fault.Crash(node), new Fault.Restart(node, false), new Fault.Pause(node)));
            if (recipe.protocol(nodes) instanceof Watchful) { // to others it means nothing
                faults.add(new Fault.Mistake(node, new NodeId(nodes)));
            }
            var world = World.of(recipe.topology(nodes))
                    .over(Network.LOSSY)
                    .struckBy(faults.stream()
                            .map(fault -> new Fault.Planned(Duration.ZERO, fault))
                            .toList());
            return recipe.algorithm().promised(recipe.setting(), world);
        }

        boolean isFine() {
            return differences.isEmpty()
                    && promised.stream().noneMatch(property -> verdicts.get(property) == Verdict.VIOLATED);
        }

        private String words(boolean ofPromised) {
            return verdicts.entrySet().stream()
                    .filter(verdict -> promised.contains(verdict.getKey()) == ofPromised)
                    .map(verdict -> verdict.getKey() + " " + verdict.getValue())
                    .collect(Collectors.joining(", "));
        }
    }

    @Override
    public boolean areFine() {
        return groups.stream().allMatch(Judged::isFine);
    }

    @Override
    public String title(Soak how, double minutes) {
        return SoakReport.said(
                "%d processes for %.1f minutes, seed %d; locks by `%s`, elections by `%s`.",
                how.nodes(), minutes, how.seed(), soak.mutex(), soak.election());
    }

    @Override
    public List<String> events() {
        return List.of(
                SoakReport.said(
                        "%,d times a client was let in and gave the lock back, %,d times it was not let in, or its node"
                                + " did not answer",
                        visits.entries(), visits.disappointments()),
                visits.settled()
                        .map(seconds -> SoakReport.said(
                                "%.1f s after all was mended, every lock had been taken at every node, and all named"
                                        + " the same leader",
                                seconds))
                        .orElse("**it did not settle** after all was mended"));
    }

    @Override
    public List<String> judged() {
        var lines = new ArrayList<String>();
        lines.add("| recorded | entries, or terms | lives | steps taken again | messages | promised | also judged |");
        lines.add("|---|---|---|---|---|---|---|");
        for (Judged group : groups) {
            lines.add(SoakReport.said(
                    "| %s | %,d | %d | %,d | %,d | %s | %s |",
                    group.group,
                    Math.max(group.entries, group.terms),
                    group.lives,
                    group.steps,
                    group.messages,
                    group.words(true),
                    group.words(false)));
        }
        groups.forEach(group -> Stream.concat(group.differences.stream(), group.notes.stream())
                .forEach(note -> lines.addAll(List.of("", group.group + ": " + note))));
        long steps = groups.stream().mapToLong(Judged::steps).sum();
        boolean same = groups.stream().allMatch(group -> group.differences.isEmpty());
        lines.add("");
        lines.add(SoakReport.said(
                "%,d steps were taken again with the pure machine: %s.",
                steps, same ? "all are as recorded" : "**not all are as recorded**"));
        return lines;
    }

    @Override
    public void addTo(JsonObject json) {
        json.addProperty("locks", soak.mutex().text());
        json.addProperty("elections", soak.election().text());
        json.addProperty("entries", visits.entries());
        json.addProperty("disappointments", visits.disappointments());
        json.addProperty("secondsToSettle", visits.settled().orElse(null));
        var rows = new JsonArray();
        groups.forEach(group -> rows.add(json(group)));
        json.add("groups", rows);
    }

    private static JsonObject json(Judged group) {
        var row = new JsonObject();
        row.addProperty("group", group.group);
        row.addProperty("recipe", group.recipe);
        row.addProperty("lives", group.lives);
        row.addProperty("steps", group.steps);
        row.addProperty("messages", group.messages);
        row.addProperty("entries", group.entries);
        row.addProperty("terms", group.terms);
        row.add("differences", SoakReport.texts(group.differences));
        row.add("notes", SoakReport.texts(group.notes));
        var verdicts = new JsonObject();
        group.verdicts.forEach((property, verdict) -> verdicts.addProperty(property.toString(), verdict.toString()));
        row.add("verdicts", verdicts);
        row.add(
                "promised",
                SoakReport.texts(group.promised.stream().map(Property::toString).toList()));
        return row;
    }
}
