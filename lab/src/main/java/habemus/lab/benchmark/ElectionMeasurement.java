package habemus.lab.benchmark;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.catalogue.CostFormula;
import habemus.simulate.RunResult;
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

/** Measures messages and time of elections with up to a million nodes, beside the theoretical messages. */
public final class ElectionMeasurement {

    private static final int MILLION = 1_000_000;

    private static final List<ElectionCase> CASES = List.of(
            new ElectionCase("chang-roberts", MILLION, true, CostFormula.Measure.MESSAGES_ALL_CANDIDATES_MEAN),
            new ElectionCase("franklin", MILLION, true, CostFormula.Measure.MESSAGES_ALL_CANDIDATES_WORST),
            new ElectionCase("hirschberg-sinclair", MILLION, true, CostFormula.Measure.MESSAGES_ALL_CANDIDATES_BOUND),
            new ElectionCase("peterson", MILLION, true, CostFormula.Measure.MESSAGES_ALL_CANDIDATES_WORST),
            new ElectionCase("itai-rodeh", MILLION, true),
            new ElectionCase("anonymous-ring", MILLION, false, CostFormula.Measure.MESSAGES_ONE_CANDIDATE_WORST),
            new ElectionCase("ring", MILLION, false, CostFormula.Measure.MESSAGES_ONE_CANDIDATE_WORST),
            new ElectionCase("gossip-large-group", 100_000, false));

    /**
     * @param allCampaign whether all nodes campaign, or only the first
     * @param theory the costs to compare with; the first for which the algorithm has a formula is used
     */
    private record ElectionCase(String algorithm, int nodes, boolean allCampaign, List<CostFormula.Measure> theory) {

        ElectionCase(String algorithm, int nodes, boolean allCampaign, CostFormula.Measure... theory) {
            this(algorithm, nodes, allCampaign, List.of(theory));
        }

        Algorithm entry() {
            return Catalogue.find(algorithm).orElseThrow();
        }

        World world(long seed) {
            boolean ring = entry().shape() == Topology.Shape.RING;
            var world = World.of(ring ? Topology.shuffledRing(nodes, seed) : Topology.complete(nodes));
            var first = world.topology().nodes().subList(0, 1);
            return allCampaign ? world : world.withWorkload(Workload.once(first));
        }

        String candidates() {
            return allCampaign ? "all" : "one";
        }
    }

    /**
     * @param candidates {@code all} or {@code one}
     * @param measurement events, seconds and heap; its remark compares the messages with the theory
     */
    public record ElectionResult(
            String algorithm, int nodes, String candidates, long messages, Measurement measurement) {}

    private final Progress progress;

    public ElectionMeasurement(Progress progress) {
        this.progress = progress;
    }

    /** @param rounds how often each election runs; the fastest counts */
    public List<ElectionResult> run(int rounds, long seed) {
        var results = new ArrayList<ElectionResult>();
        for (ElectionCase electionCase : CASES) {
            var laps = new ArrayList<ElectionResult>();
            for (int i = 0; i < rounds; i++) {
                progress.onProgress(
                        electionCase.algorithm, (long) results.size() * rounds + i, (long) CASES.size() * rounds);
                laps.add(run(electionCase, seed));
            }
            results.add(Collections.min(
                    laps, Comparator.comparingDouble(electionResult -> electionResult.measurement.cpuSeconds())));
        }
        return results;
    }

    private static ElectionResult run(ElectionCase electionCase, long seed) {
        var world = electionCase.world(seed);
        var messages = new long[1];
        var run = Measurement.of(
                electionCase.algorithm,
                "",
                () -> Simulation.of(electionCase.entry().create(AlgorithmParameters.of(world)), world, seed)
                        .run(),
                result -> {
                    requireGuarantees(electionCase, world, result);
                    messages[0] = result.messages();
                    return percentOfTheory(electionCase, result.messages());
                });
        return new ElectionResult(
                electionCase.algorithm, electionCase.nodes, electionCase.candidates(), messages[0], run);
    }

    /** @throws IllegalStateException if the run violates a guarantee of the algorithm */
    private static void requireGuarantees(ElectionCase electionCase, World world, RunResult result) {
        for (var property : electionCase.entry().guaranteed(AlgorithmParameters.of(world), world)) {
            if (result.verdicts().get(property) != Verdict.HOLDS) {
                throw new IllegalStateException(electionCase.algorithm + " violates " + property);
            }
        }
    }

    private static String percentOfTheory(ElectionCase electionCase, long messages) {
        return electionCase.entry().costs().stream()
                .filter(cost -> electionCase.theory.contains(cost.measure()))
                .findFirst()
                .map(cost -> String.format(
                        Locale.ROOT,
                        "%.2f %% of %s",
                        100 * messages / cost.function().applyAsDouble(electionCase.nodes),
                        cost.formula()))
                .orElse("");
    }
}
