package habemus.lab.bench;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.catalogue.Cost;
import habemus.catalogue.Setting;
import habemus.simulate.Outcome;
import habemus.simulate.Simulation;
import habemus.world.Topology;
import habemus.world.Verdict;
import habemus.world.Workload;
import habemus.world.World;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Elections among very many nodes: how many messages they take, beside what theory says, and how long. */
public final class ElectionsBench {

    private static final int MILLION = 1_000_000;

    /** A new one is one more line. */
    private static final List<Race> RACES = List.of(
            new Race("chang-roberts", MILLION, true, Cost.Measure.MESSAGES_ALL_CANDIDATES_MEAN),
            new Race("franklin", MILLION, true, Cost.Measure.MESSAGES_ALL_CANDIDATES_WORST),
            new Race("hirschberg-sinclair", MILLION, true, Cost.Measure.MESSAGES_ALL_CANDIDATES_BOUND),
            new Race("peterson", MILLION, true, Cost.Measure.MESSAGES_ALL_CANDIDATES_WORST),
            new Race("itai-rodeh", MILLION, true),
            new Race("anonymous-ring", MILLION, false, Cost.Measure.MESSAGES_ONE_CANDIDATE_WORST),
            new Race("ring", MILLION, false, Cost.Measure.MESSAGES_ONE_CANDIDATE_WORST),
            new Race("gossip-large-group", 100_000, false));

    /**
     * @param all whether everybody campaigns, or the first node only
     * @param beside what to compare it with; the first that the algorithm has a formula for
     */
    private record Race(String algorithm, int nodes, boolean all, List<Cost.Measure> beside) {

        Race(String algorithm, int nodes, boolean all, Cost.Measure... beside) {
            this(algorithm, nodes, all, List.of(beside));
        }

        Algorithm entry() {
            return Catalogue.find(algorithm).orElseThrow();
        }

        World world(long seed) {
            boolean ring = entry().shape() == Topology.Shape.RING;
            var world = World.of(ring ? Topology.shuffledRing(nodes, seed) : Topology.complete(nodes));
            var first = world.topology().nodes().subList(0, 1);
            return all ? world : world.wanting(Workload.once(first));
        }

        String who() {
            return all ? "all" : "one";
        }
    }

    /**
     * @param candidates all or one
     * @param run its events, seconds and heap; its remark is how many messages there were beside what theory says
     */
    public record Row(String algorithm, int nodes, String candidates, long messages, Measurement run) {}

    private final Progress progress;

    public ElectionsBench(Progress progress) {
        this.progress = progress;
    }

    /** @param rounds how often each is run; the fastest counts */
    public List<Row> run(int rounds, long seed) {
        var rows = new ArrayList<Row>();
        for (Race race : RACES) {
            var laps = new ArrayList<Row>();
            for (int i = 0; i < rounds; i++) {
                progress.at(race.algorithm, (long) rows.size() * rounds + i, (long) RACES.size() * rounds);
                laps.add(run(race, seed));
            }
            rows.add(Collections.min(laps, Comparator.comparingDouble(row -> row.run.cpuSeconds())));
        }
        return rows;
    }

    private static Row run(Race race, long seed) {
        var world = race.world(seed);
        var messages = new long[1];
        var run = Measurement.of(
                race.algorithm,
                "",
                () -> Simulation.of(race.entry().make(Setting.of(world)), world, seed)
                        .run(),
                outcome -> {
                    requirePromises(race, world, outcome);
                    messages[0] = outcome.messages();
                    return besideTheory(race, outcome.messages());
                });
        return new Row(race.algorithm, race.nodes, race.who(), messages[0], run);
    }

    /** @throws IllegalStateException if one is broken: that would be no election to measure */
    private static void requirePromises(Race race, World world, Outcome outcome) {
        for (var property : race.entry().promised(Setting.of(world), world)) {
            if (outcome.verdicts().get(property) != Verdict.HOLDS) {
                throw new IllegalStateException(race.algorithm + " does not keep " + property);
            }
        }
    }

    private static String besideTheory(Race race, long messages) {
        return race.entry().costs().stream()
                .filter(cost -> race.beside.contains(cost.measure()))
                .findFirst()
                .map(cost -> String.format(
                        Locale.ROOT,
                        "%.2f %% of %s",
                        100 * messages / cost.of().applyAsDouble(race.nodes),
                        cost.formula()))
                .orElse("");
    }
}
