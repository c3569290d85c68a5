package habemus.web;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.web.data.ScenarioText;
import habemus.world.Problem;
import habemus.world.Topology;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Calls that reach every algorithm, every kind of fault, latency and topology, and every random choice. */
final class EngineCalls {

    private static final int SEEDS = 3;
    private static final String FAULTS =
            "reorder,duplication,loss,crash,restart,amnesia,pause,partition,slowness,mistake,clock-rate";
    /** Some algorithms never end, and the trace of every step costs time. */
    private static final String STEPS = " --steps 3000";

    private static final List<String> LATENCIES =
            List.of("fixed:1", "uniform:1..5", "exp:3", "lognormal:3,0.5", "lognormal:40,1.7");
    private static final List<String> GRAPHS =
            List.of("grid", "grid:3x4", "tree", "tree:2", "random", "random:0.3", "scale-free:1", "scale-free:2");

    private static final List<String> DRAWINGS =
            List.of("svg", "traffic-svg", "mermaid", "text", "trace-json", "scenario", "shiviz");

    /** Small worlds whose state counts the tests of the checker pin. */
    private static final List<String> PINNED = List.of(
            "chang-roberts -n 5",
            "chang-roberts -n 3 --network bag",
            "ricart-agrawala-by-priority -n 3",
            "lamport -n 2 --entries 3",
            "bully -n 3 --crashes 1 --timing synchronous",
            "bully-efficient -n 3 --crashes 1 --timing synchronous",
            "ricart-agrawala -n 3 --network bag --entries 2 --property mutual-exclusion",
            "yo-yo --topology graph:7-5,5-2,3-2,5-4,9-4 --initiators 7",
            "itai-rodeh -n 3",
            "max-alive -n 3 --crashes 1");

    private final List<EngineCall> calls = new ArrayList<>();

    private EngineCalls() {}

    static List<EngineCall> all(Path scenarios) throws IOException {
        var all = new EngineCalls();
        Catalogue.ALL.forEach(all::addSeeds);
        Catalogue.ALL.forEach(all::addSwarms);
        Catalogue.ALL.forEach(all::addTopologies);
        all.addLatencies();
        all.addWorkloads();
        all.addLogs();
        all.addScenarios(scenarios);
        all.addDrawings();
        all.addChecks();
        return all.calls;
    }

    private void addSeeds(Algorithm algorithm) {
        for (int seed = 1; seed <= SEEDS; seed++) {
            calls.add(EngineCall.hash(algorithm.name() + size(algorithm, 2 + seed) + " --seed " + seed + STEPS));
        }
    }

    private void addSwarms(Algorithm algorithm) {
        if (algorithm.problem() != Problem.THREADS) {
            for (int seed = 1; seed <= SEEDS; seed++) {
                var line = algorithm.name() + size(algorithm, 5) + " --seed " + seed + STEPS;
                calls.add(EngineCall.hash(line + " --swarm"));
                calls.add(EngineCall.hash(line + " --swarm=" + FAULTS));
            }
        }
    }

    private void addTopologies(Algorithm algorithm) {
        if (algorithm.shape() == Topology.Shape.GRAPH) {
            for (String graph : GRAPHS) {
                for (int seed = 1; seed <= SEEDS; seed++) {
                    var size = graph.equals("grid:3x4") ? "" : " -n 12";
                    calls.add(EngineCall.hash(
                            algorithm.name() + size + " --disconnected --topology " + graph + " --seed " + seed));
                }
            }
        } else if (algorithm.shape() == Topology.Shape.RING) {
            calls.add(EngineCall.hash(algorithm.name() + " -n 40 --topology ring:random --seed 11"));
            calls.add(EngineCall.hash(algorithm.name() + " -n 9 --topology ring:descending --seed 12"));
        }
    }

    private void addLatencies() {
        for (String latency : LATENCIES) {
            for (String algorithm : List.of("ricart-agrawala", "bully", "raft", "yo-yo", "phi-accrual", "maekawa")) {
                calls.add(EngineCall.hash(algorithm + " -n 7 --seed 5 --latency " + latency + STEPS));
            }
            calls.add(EngineCall.hash("lamport -n 4 --link 1>2=" + latency + " --slow 2>1@0..50x3.7"));
        }
    }

    private void addWorkloads() {
        for (var algorithm : Catalogue.ALL) {
            if (algorithm.problem() == Problem.MUTEX) {
                calls.add(EngineCall.hash(algorithm.name() + size(algorithm, 5)
                        + " --acquire random:30 --entries 3 --think 12 --hold 4 --writes fenced --chatter shared"));
            } else if (algorithm.acceptsDetector()) {
                calls.add(EngineCall.hash(algorithm.name() + size(algorithm, 4)
                        + " --detector phi-accrual --latency exp:3 --crash 1@300 --until 1500"));
            }
        }
    }

    private void addLogs() {
        for (int seed = 1; seed <= 4 * SEEDS; seed++) {
            calls.add(EngineCall.hash(
                    "raft -n 5 --proposals 40 --reads 20 --snapshots 10 --member-changes 10 --transfers 5"
                            + " --loss 0.05 --duplicates 0.05 --latency lognormal:3,0.9 --clock-rate 2@10..900x1.2"
                            + " --crash 1@700 --restart 1@1100 --lose-tail 1@800 --until 4000 --seed " + seed));
        }
    }

    /** The runs of the gallery: the whole document of the page, and the drawings of the short ones. */
    private void addScenarios(Path scenarios) throws IOException {
        for (var scenario : ScenarioText.readAll(scenarios).entrySet()) {
            for (var run : scenario.getValue().getAsJsonObject().getAsJsonArray("runs")) {
                var line = run.getAsJsonObject().get("command").getAsString();
                calls.add(EngineCall.run(line));
                if (!line.contains("--moves")) {
                    calls.add(EngineCall.draw(line, "svg"));
                }
            }
        }
    }

    private void addDrawings() {
        for (String line :
                List.of("central -n 3", "bully -n 4 --crash 4@0 --initiators 1", "raft -n 3 --proposals 2")) {
            DRAWINGS.forEach(kind -> calls.add(EngineCall.draw(line, kind)));
        }
    }

    private void addChecks() {
        Catalogue.ALL.forEach(algorithm ->
                calls.add(EngineCall.check(algorithm.name() + size(algorithm, 2) + " --states 3000 --seconds 600")));
        PINNED.forEach(line -> calls.add(EngineCall.check(line)));
    }

    private static String size(Algorithm algorithm, int nodes) {
        return algorithm.problem() == Problem.THREADS ? "" : " -n " + nodes;
    }
}
