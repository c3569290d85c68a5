package habemus.course.exercise;

import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.course.exercise.ElectionTest.Report;
import habemus.course.exercise.ElectionTest.Setup;
import habemus.lab.mutation.Mutant;
import habemus.lab.mutation.MutantCompiler;
import habemus.lab.source.SourceFile;
import habemus.protocol.NodeId;
import habemus.protocol.Protocol;
import habemus.simulate.RunLimits;
import habemus.simulate.Simulation;
import habemus.world.Fault;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.Workload;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The student writes a test: it must accept the bully algorithm and reject hidden mutants of it. */
final class TwoInitiatorsCheck implements ExerciseCheck {

    /** The mutants that two initiators at once can show, without a crash during the election. */
    private static final List<String> HIDDEN =
            List.of("ask-only-the-best", "do-not-answer", "answer-without-campaigning");

    private static final int MAX_NODES = 8;
    private static final int MAX_SETUPS = 50;
    private static final int SEEDS = 10;
    private static final RunLimits LIMITS = RunLimits.AMPLE.withMaxSteps(20_000).withMaxTime(Duration.ofSeconds(20));

    /** What the nodes reported, and the run. */
    private record Tried(List<Report> reports, List<TraceEvent> trace) {}

    @Override
    public List<CriterionResult> check(SourceFile file, ThreadLaboratory laboratory) {
        var test = StudentClass.load(file, ElectionTest.class);
        var setups = setups(test);
        var right = right(test, setups);
        return List.of(right, mutants(test, setups, right.isPassed()));
    }

    private static List<Setup> setups(ElectionTest test) {
        var setups = test.setups();
        if (setups == null || setups.isEmpty() || setups.size() > MAX_SETUPS) {
            throw StudentClass.invalid(
                    "setups() must hold 1 to " + MAX_SETUPS + " elections, was " + setups, "add one");
        }
        setups.forEach(TwoInitiatorsCheck::requireValid);
        return setups;
    }

    private static void requireValid(Setup setup) {
        var named = new HashSet<>(setup.initiators());
        named.addAll(setup.crashed());
        boolean valid = setup.nodes() >= 2
                && setup.nodes() <= MAX_NODES
                && setup.initiators().size() == 2
                && named.size() == 2 + setup.crashed().size()
                && named.stream().allMatch(node -> node >= 1 && node <= setup.nodes());
        if (!valid) {
            throw StudentClass.invalid(
                    setup + " is not an election of two initiators",
                    "2 to 8 nodes, two different initiators that are not crashed, each node named once");
        }
    }

    private static CriterionResult right(ElectionTest test, List<Setup> setups) {
        for (Setup setup : setups) {
            for (int seed = 1; seed <= SEEDS; seed++) {
                var tried = run(bully(setup), setup, seed);
                if (!test.isRight(setup, tried.reports)) {
                    var reason = "rejects the bully algorithm: " + setup + " reported " + tried.reports;
                    return CriterionResult.failed("accepts", failure(reason, setup, tried, seed));
                }
            }
        }
        return CriterionResult.passed("accepts", setups.size() + " elections, " + SEEDS + " seeds each");
    }

    private static CriterionResult mutants(ElectionTest test, List<Setup> setups, boolean acceptsRight) {
        if (!acceptsRight) {
            return CriterionResult.failed("mutants", "a test that rejects the bully algorithm rejects everything");
        }
        var survivors = new ArrayList<Mutant>();
        var hidden = Mutant.of("bully").stream()
                .filter(mutant -> HIDDEN.contains(mutant.name()))
                .toList();
        for (Mutant mutant : hidden) {
            if (killed(test, setups, MutantCompiler.forMutant(mutant)).isEmpty()) {
                survivors.add(mutant);
            }
        }
        var result = survivors.isEmpty()
                ? CriterionResult.passed("mutants", "rejects all " + hidden.size() + " hidden mutants")
                : CriterionResult.failed("mutants", describe(survivors, hidden.size()));
        return result.withEarned(1.0 * (hidden.size() - survivors.size()) / hidden.size());
    }

    private static String describe(List<Mutant> survivors, int all) {
        return survivors.size() + " of " + all + " hidden mutants pass the test: "
                + survivors.stream()
                        .map(mutant -> mutant.name() + " (" + mutant.rationale() + ")")
                        .collect(Collectors.joining("; "));
    }

    private static Optional<Setup> killed(ElectionTest test, List<Setup> setups, MutantCompiler mutant) {
        return setups.stream()
                .filter(setup -> {
                    for (int seed = 1; seed <= SEEDS; seed++) {
                        var protocol = mutant.instantiateLike(bully(setup));
                        if (!test.isRight(setup, run(protocol, setup, seed).reports)) {
                            return true;
                        }
                    }
                    return false;
                })
                .findFirst();
    }

    private static Protocol<?, ?> bully(Setup setup) {
        return Catalogue.find("bully")
                .orElseThrow()
                .create(AlgorithmParameters.defaults().withNodeCount(setup.nodes()));
    }

    private static Tried run(Protocol<?, ?> protocol, Setup setup, long seed) {
        var trace = new ArrayList<TraceEvent>();
        var result = Simulation.of(protocol, world(setup), seed)
                .withLimits(LIMITS)
                .withTrace(trace::add)
                .run();
        var reports = result.announcements().stream()
                .map(each -> new Report(each.node().number(), each.leader().number()))
                .toList();
        return new Tried(reports, trace);
    }

    private static World world(Setup setup) {
        return World.of(Topology.complete(setup.nodes()))
                .withWorkload(Workload.once(
                        setup.initiators().stream().map(NodeId::new).toList()))
                .withFaults(setup.crashed().stream()
                        .map(node -> new Fault.PlannedFault(Duration.ZERO, new Fault.Crash(new NodeId(node))))
                        .toList());
    }

    private static FailingRun failure(String reason, Setup setup, Tried tried, int seed) {
        var replay = new StringBuilder("./habemus run bully -n " + setup.nodes() + " --seed " + seed + " --initiators "
                + setup.initiators().stream().map(String::valueOf).collect(Collectors.joining(",")));
        setup.crashed().forEach(node -> replay.append(" --crash ").append(node).append("@0"));
        var topology = Topology.complete(setup.nodes());
        return new FailingRun(reason, ElectionTrials.recording(reason, topology, tried.trace), replay.toString());
    }
}
