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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an algorithm survives in the matrix, it survives when a real process is killed. */
@Execution(ExecutionMode.CONCURRENT)
class SurvivalTest {

    /** All that is survived, and not only the worst of it. */
    private static final boolean CAMPAIGN = Boolean.getBoolean("habemus.campaign");

    private static final List<String> CRASHES = List.of("bystander", "waiter", "holder");
    private static final Map<Problem, List<Property>> NEEDED = Map.of(
            Problem.MUTEX, List.of(Property.MUTUAL_EXCLUSION, Property.NO_STARVATION),
            Problem.ELECTION, List.of(Property.TERMINATION, Property.AGREEMENT));

    /** So many times longer than in a simulation alarms take here: a machine may be busy with something else. */
    private static final int SLOWER = 20;

    /** @param crashes of whom it survives, in the better of its timings, on links that keep the order */
    record Hardy(Problem problem, String recipe, List<String> crashes) {
        @Override
        public String toString() {
            return recipe + " survives the crash of a " + String.join(", ", crashes);
        }
    }

    @TempDir
    private Path folder;

    static Stream<Hardy> hardy() throws IOException {
        var root = Path.of("").toAbsolutePath().getParent();
        var rows = JsonParser.parseString(Files.readString(root.resolve("docs/matrix.json")))
                .getAsJsonObject()
                .getAsJsonArray("rows");
        var verdicts = new TreeMap<String, String>();
        var recipes = new TreeSet<String>();
        for (var element : rows) {
            var row = element.getAsJsonObject();
            var algorithm = Catalogue.find(text(row, "algorithm")).orElseThrow();
            if (text(row, "network").equals("fifo") && !algorithm.isService()) { // that one is killed in other tests
                var recipe = (text(row, "algorithm") + " " + text(row, "variant")).strip();
                recipes.add(recipe);
                verdicts.put(
                        String.join("/", recipe, text(row, "timing"), text(row, "fault"), text(row, "property")),
                        text(row, "verdict"));
            }
        }
        return recipes.stream().map(recipe -> hardy(recipe, verdicts)).filter(one -> !one.crashes.isEmpty());
    }

    private static String text(JsonObject row, String member) {
        return row.get(member).getAsString();
    }

    private static Hardy hardy(String recipe, Map<String, String> verdicts) {
        var problem = Catalogue.find(recipe.split(" ", -1)[0]).orElseThrow().problem();
        var crashes = CRASHES.stream()
                .filter(crash -> Stream.of("asynchronous", "synchronous")
                        .anyMatch(timing -> NEEDED.getOrDefault(problem, List.of()).stream()
                                .map(property -> verdicts.get(String.join("/", recipe, timing, crash, "" + property)))
                                .toList()
                                .equals(List.of("holds", "holds"))))
                .toList();
        return new Hardy(problem, slower(recipe), crashes);
    }

    private static String slower(String recipe) {
        var parsed = AlgorithmSpec.parse(
                recipe, Catalogue.find(recipe.split(" ", -1)[0]).orElseThrow().problem());
        var words = new StringBuilder(parsed.algorithm().name());
        for (var algorithmOption : parsed.algorithm().algorithmOptions()) {
            var value = parsed.parameters().get(algorithmOption);
            if (value instanceof Duration time && !time.isZero()) {
                words.append(" --" + algorithmOption.name() + " " + time.toMillis() * SLOWER);
            } else if (!value.equals(algorithmOption.defaultValue())) {
                words.append(" --" + algorithmOption.name() + " " + value);
            }
        }
        return words.toString();
    }

    @Test
    void the_matrix_says_that_some_survive_and_others_do_not() throws IOException {
        assertThat(hardy().map(Hardy::recipe).toList())
                .contains(
                        "bully --answer 2000 --coordinator 10000",
                        "central",
                        "central --lease 2000",
                        "token-ring --regenerate true")
                .doesNotContain("chang-roberts", "ricart-agrawala", "lamport", "maekawa");
    }

    @ParameterizedTest
    @MethodSource("hardy")
    void what_is_survived_in_the_matrix_is_survived_here(Hardy hardy) {
        boolean locks = hardy.problem == Problem.MUTEX;
        var setup = new Setup(locks ? hardy.recipe : "central", locks ? "bully" : hardy.recipe, folder, true);
        try (var realCluster = new RealCluster(3, setup)) {
            realCluster.node(2).acquire(); // so that whatever is slow the first time has been done once
            realCluster.node(2).release();
            for (String crash : CAMPAIGN ? hardy.crashes : List.of(hardy.crashes.getLast())) {
                int victim = locks ? strikeLock(realCluster, crash) : strikeElection(realCluster, crash);
                realCluster.node(victim).restart();
            }
        }
        for (var recordedRun : RecordedRun.read(folder.resolve("record"), false)) {
            assertThat(recordedRun.differences()).isEmpty();
            if (locks) {
                assertThat(recordedRun.runResult().verdicts()).containsEntry(Property.MUTUAL_EXCLUSION, Verdict.HOLDS);
            }
        }
    }

    /** In a lock of its own for each; n1 is the coordinator, where there is one. */
    private static int strikeLock(RealCluster realCluster, String crash) {
        if (crash.equals("waiter")) {
            realCluster.node(1).send("acquire " + crash).awaitLine("granted " + crash);
            realCluster.node(2).send("acquire " + crash);
        } else {
            realCluster.node(2).send("acquire " + crash).awaitLine("granted " + crash);
        }
        if (crash.equals("bystander")) {
            realCluster.node(2).send("release " + crash);
            realCluster.node(3).send("acquire " + crash).awaitLine("granted " + crash); // so it was heard of
            realCluster.node(3).send("release " + crash).awaitLine("released " + crash);
        }
        realCluster.node(2).kill();
        if (crash.equals("waiter")) {
            realCluster.node(1).send("release " + crash);
        }
        realCluster.node(3).send("acquire " + crash).awaitLine("granted " + crash);
        return 2;
    }

    private static int strikeElection(RealCluster realCluster, String crash) {
        realCluster.node(1).send("campaign " + crash);
        if (crash.equals("waiter")) {
            realCluster.node(1).kill();
            realCluster.node(2).send("campaign " + crash);
            realCluster.node(2).awaitAgreement(crash, realCluster.node(3), 1);
            return 1;
        }
        int leader = realCluster.node(1).awaitAgreement(crash, realCluster.node(2), 0);
        int victim = crash.equals("holder") ? leader : leader == 1 ? 2 : 1;
        realCluster.node(victim).kill();
        var left = realCluster.others(victim);
        left.getFirst().awaitAgreement(crash, left.getLast(), victim);
        return victim;
    }
}
