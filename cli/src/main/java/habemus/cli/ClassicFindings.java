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
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What came out of a soak. */
record SoakReport(Soak soak, Soak.Campaign campaign, List<Judged> groups) {

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

    boolean isFine() {
        return campaign.troubles().isEmpty() && groups.stream().allMatch(Judged::isFine);
    }

    String text() {
        var text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%d processes for %.1f minutes, seed %d; locks by `%s`, elections by `%s`.%n%n",
                soak.nodes(),
                campaign.seconds() / 60,
                soak.seed(),
                soak.mutex(),
                soak.election()));
        campaign.faults()
                .forEach((kind, times) -> text.append("- ")
                        .append(times)
                        .append(" times a node was ")
                        .append(kind.words())
                        .append('\n'));
        text.append(String.format(
                Locale.ROOT,
                "- %,d times a client was let in and gave the lock back, %,d times it was not let in, or its node did"
                        + " not answer%n",
                campaign.entries(),
                campaign.disappointments()));
        text.append(campaign.settled()
                .map(seconds -> String.format(
                        Locale.ROOT,
                        "- %.1f s after all was mended, every lock had been taken at every node, and all named the same"
                                + " leader%n",
                        seconds))
                .orElse("- **it did not settle** after all was mended\n"));
        campaign.troubles()
                .forEach(trouble -> text.append("- **").append(trouble).append("**\n"));
        return text.append('\n').append(table()).append('\n').append(verdict()).toString();
    }

    private String table() {
        var text = new StringBuilder();
        text.append(
                "| recorded | entries, or terms | lives | steps taken again | messages | promised | also judged |\n");
        text.append("|---|---|---|---|---|---|---|\n");
        for (Judged group : groups) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %,d | %d | %,d | %,d | %s | %s |%n",
                    group.group,
                    Math.max(group.entries, group.terms),
                    group.lives,
                    group.steps,
                    group.messages,
                    group.words(true),
                    group.words(false)));
        }
        groups.forEach(group -> Stream.concat(group.differences.stream(), group.notes.stream())
                .forEach(note -> text.append("\n")
                        .append(group.group)
                        .append(": ")
                        .append(note)
                        .append("\n")));
        return text.toString();
    }

    private String verdict() {
        long steps = groups.stream().mapToLong(Judged::steps).sum();
        boolean same = groups.stream().allMatch(group -> group.differences.isEmpty());
        return String.format(
                Locale.ROOT,
                "%,d steps were taken again with the pure machine: %s. %s%n",
                steps,
                same ? "all are as recorded" : "**not all are as recorded**",
                isFine() ? "Nothing that is promised was violated." : "**Something is wrong.**");
    }

    JsonObject json() {
        var json = new JsonObject();
        json.addProperty("nodes", soak.nodes());
        json.addProperty("seconds", campaign.seconds());
        json.addProperty("seed", soak.seed());
        json.addProperty("locks", soak.mutex().text());
        json.addProperty("elections", soak.election().text());
        var faults = new JsonObject();
        campaign.faults().forEach((kind, times) -> faults.addProperty(kind.toString(), times));
        json.add("faults", faults);
        json.addProperty("entries", campaign.entries());
        json.addProperty("disappointments", campaign.disappointments());
        json.addProperty("secondsToSettle", campaign.settled().orElse(null));
        json.add("troubles", texts(campaign.troubles()));
        var rows = new JsonArray();
        groups.forEach(group -> rows.add(json(group)));
        json.add("groups", rows);
        json.addProperty("fine", isFine());
        return json;
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
        row.add("differences", texts(group.differences));
        row.add("notes", texts(group.notes));
        var verdicts = new JsonObject();
        group.verdicts.forEach((property, verdict) -> verdicts.addProperty(property.toString(), verdict.toString()));
        row.add("verdicts", verdicts);
        row.add(
                "promised",
                texts(group.promised.stream().map(Property::toString).toList()));
        return row;
    }

    private static JsonArray texts(List<String> texts) {
        var array = new JsonArray();
        texts.forEach(array::add);
        return array;
    }
}
