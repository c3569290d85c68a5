package habemus.harness.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import habemus.catalogue.AlgorithmSpec;
import habemus.catalogue.Catalogue;
import habemus.harness.faults.RealCluster.Setup;
import habemus.service.trace.RecordedRun;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** If an algorithm survives a crash in the fault matrix, it survives the kill of a real process. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class SurvivalTest {

    /** Whether to inject all crashes that an algorithm survives, and not only the last of them. */
    private static final boolean CAMPAIGN = Boolean.getBoolean("habemus.campaign");

    private static final List<String> CRASHES = List.of("bystander", "waiter", "holder");
    private static final Map<Problem, List<Property>> NEEDED = Map.of(
            Problem.MUTEX, List.of(Property.MUTUAL_EXCLUSION, Property.NO_STARVATION),
            Problem.ELECTION, List.of(Property.TERMINATION, Property.AGREEMENT));

    /** Factor of timeouts compared with the simulation, since the machine may be busy. */
    private static final int TIMEOUT_FACTOR = 20;

    /** @param crashes that it survives, in the better of its timings, on FIFO links */
    record Survivor(Problem problem, String algorithm, List<String> crashes) {
        @Override
        public String toString() {
            return algorithm + " survives the crash of a " + String.join(", ", crashes);
        }
    }

    @TempDir
    private Path folder;

    static Stream<Survivor> survivors() throws IOException {
        var root = Path.of("").toAbsolutePath().getParent();
        var rows = JsonParser.parseString(Files.readString(root.resolve("docs/matrix.json")))
                .getAsJsonObject()
                .getAsJsonArray("rows");
        var verdicts = new TreeMap<String, String>();
        var algorithms = new TreeSet<String>();
        for (var element : rows) {
            var row = element.getAsJsonObject();
            var entry = Catalogue.find(text(row, "algorithm")).orElseThrow();
            if (text(row, "network").equals("fifo") && !entry.isService()) { // the lock service has its own tests
                var algorithm = (text(row, "algorithm") + " " + text(row, "variant")).strip();
                algorithms.add(algorithm);
                verdicts.put(
                        String.join("/", algorithm, text(row, "timing"), text(row, "fault"), text(row, "property")),
                        text(row, "verdict"));
            }
        }
        return algorithms.stream()
                .map(algorithm -> survivor(algorithm, verdicts))
                .filter(survivor -> !survivor.crashes.isEmpty());
    }

    private static String text(JsonObject row, String member) {
        return row.get(member).getAsString();
    }

    private static Survivor survivor(String algorithm, Map<String, String> verdicts) {
        var problem = Catalogue.find(algorithm.split(" ", -1)[0]).orElseThrow().problem();
        var crashes = CRASHES.stream()
                .filter(crash -> Stream.of("asynchronous", "synchronous")
                        .anyMatch(timing -> NEEDED.getOrDefault(problem, List.of()).stream()
                                .map(property ->
                                        verdicts.get(String.join("/", algorithm, timing, crash, "" + property)))
                                .toList()
                                .equals(List.of("holds", "holds"))))
                .toList();
        return new Survivor(problem, withLongTimeouts(algorithm), crashes);
    }

    private static String withLongTimeouts(String algorithm) {
        var parsed = AlgorithmSpec.parse(
                algorithm,
                Catalogue.find(algorithm.split(" ", -1)[0]).orElseThrow().problem());
        var words = new StringBuilder(parsed.algorithm().name());
        for (var option : parsed.algorithm().options()) {
            var value = parsed.parameters().get(option);
            if (value instanceof Duration time && !time.isZero()) {
                words.append(" --" + option.name() + " " + time.toMillis() * TIMEOUT_FACTOR);
            } else if (!value.equals(option.defaultValue())) {
                words.append(" --" + option.name() + " " + value);
            }
        }
        return words.toString();
    }

    @Test
    void some_algorithms_survive_by_the_matrix_and_others_do_not() throws IOException {
        assertThat(survivors().map(Survivor::algorithm).toList())
                .contains(
                        "bully --answer 2000 --coordinator 10000",
                        "central",
                        "central --lease 2000",
                        "token-ring --regenerate true")
                .doesNotContain("chang-roberts", "ricart-agrawala", "lamport", "maekawa");
    }

    @ParameterizedTest
    @MethodSource("survivors")
    void a_crash_that_is_survived_in_the_matrix_is_survived_by_real_processes(Survivor survivor) {
        boolean locks = survivor.problem == Problem.MUTEX;
        var setup =
                new Setup(locks ? survivor.algorithm : "central", locks ? "bully" : survivor.algorithm, folder, true);
        try (var cluster = new RealCluster(3, setup)) {
            cluster.node(2).acquire(); // warms up the processes
            cluster.node(2).release();
            for (String crash : CAMPAIGN ? survivor.crashes : List.of(survivor.crashes.getLast())) {
                int killed = locks ? crashInLock(cluster, crash) : crashInElection(cluster, crash);
                cluster.node(killed).restart();
            }
        }
        for (var run : RecordedRun.read(List.of(folder.resolve("record")), false)) {
            assertThat(run.differences()).isEmpty();
            if (locks) {
                assertThat(run.runResult().verdicts()).containsEntry(Property.MUTUAL_EXCLUSION, Verdict.HOLDS);
            }
        }
    }

    /** Each crash uses a lock of its own. n1 is the coordinator, if there is one. */
    private static int crashInLock(RealCluster cluster, String crash) {
        if (crash.equals("waiter")) {
            cluster.node(1).send("acquire " + crash).awaitLine("granted " + crash);
            cluster.node(2).send("acquire " + crash);
        } else {
            cluster.node(2).send("acquire " + crash).awaitLine("granted " + crash);
        }
        if (crash.equals("bystander")) {
            cluster.node(2).send("release " + crash);
            cluster.node(3).send("acquire " + crash).awaitLine("granted " + crash); // so the release was received
            cluster.node(3).send("release " + crash).awaitLine("released " + crash);
        }
        cluster.node(2).kill();
        if (crash.equals("waiter")) {
            cluster.node(1).send("release " + crash);
        }
        cluster.node(3).send("acquire " + crash).awaitLine("granted " + crash);
        return 2;
    }

    private static int crashInElection(RealCluster cluster, String crash) {
        cluster.node(1).send("campaign " + crash);
        if (crash.equals("waiter")) {
            cluster.node(1).kill();
            cluster.node(2).send("campaign " + crash);
            cluster.node(2).awaitAgreement(crash, cluster.node(3), 1);
            return 1;
        }
        int leader = cluster.node(1).awaitAgreement(crash, cluster.node(2), 0);
        int killed = crash.equals("holder") ? leader : leader == 1 ? 2 : 1;
        cluster.node(killed).kill();
        var survivors = cluster.others(killed);
        survivors.getFirst().awaitAgreement(crash, survivors.getLast(), killed);
        return killed;
    }
}
