package habemus.web.data;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.lab.matrix.PublishedMatrix;
import habemus.lab.trace.TimeScale;
import habemus.lab.trace.TraceJson;
import habemus.simulate.Simulation;
import habemus.simulate.SwarmFaults;
import habemus.world.FaultKind;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.World;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PageDataTest {

    private static final int NODES = 3;
    private static final int SEEDS = 20;
    private static final int STEPS_MAX = 2_000;
    private static final int MATRIX_BYTES_MAX = 25_000;
    private static final JsonObject SOURCES = SourceIndex.of(Catalogue.ALL);

    static Stream<String> algorithms() {
        return Catalogue.ALL.stream().map(Algorithm::name);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void every_executed_step_has_its_case(String name) {
        var entry = SOURCES.getAsJsonObject("algorithms").getAsJsonObject(name);
        for (String key : executedKeys(Catalogue.find(name).orElseThrow())) {
            assertThat(entry.getAsJsonObject("cases").keySet()).contains(key);
            assertThat(line(entry, key))
                    .satisfiesAnyOf(
                            line -> assertThat(line).contains("case "),
                            line -> assertThat(line).contains("Step<"));
        }
    }

    @Test
    void a_case_names_its_message() {
        var entry = SOURCES.getAsJsonObject("algorithms").getAsJsonObject("ricart-agrawala");
        assertThat(line(entry, "Received Request")).contains("case Message.Request(var theirs) ->");
        assertThat(line(entry, "Acquire")).contains("acquire(State s)");
    }

    /** A message handled by the case of a type that includes it. */
    @Test
    void the_outermost_case_wins() {
        var entry = SOURCES.getAsJsonObject("algorithms").getAsJsonObject("yo-yo");
        assertThat(line(entry, "Received Yes")).contains("case Message.Verdict verdict");
    }

    @Test
    void the_matrix_is_small() {
        var json = CompactMatrix.of(PublishedMatrix.rows(Catalogue.ALL));
        assertThat(json.getAsJsonArray("lines")).isNotEmpty();
        assertThat(deflatedLength(json.toString())).isLessThan(MATRIX_BYTES_MAX);
    }

    @Test
    void a_scenario_keeps_story_and_outcome_without_events() {
        var scenario = ScenarioText.read(List.of(
                "# Title.",
                "# Story.",
                "",
                "run bully -n 3",
                "----",
                "  0.000 ms  n1  campaign",
                "ended   at rest",
                ""));
        assertThat(scenario)
                .hasToString("{\"title\":\"Title.\",\"story\":[\"Story.\"],\"problem\":\"election\",\"runs\":"
                        + "[{\"notes\":[],\"command\":\"bully -n 3\",\"outcome\":[\"ended   at rest\"]}]}");
    }

    @Test
    void a_translation_has_the_notes_of_each_run() {
        var translation = ScenarioText.readTranslation(List.of("# Título.", "", "run", "", "# Nota.", "run"));
        assertThat(translation).hasToString("{\"title\":\"Título.\",\"story\":[],\"notes\":[[],[\"Nota.\"]]}");
    }

    @Test
    void every_scenario_is_told_in_portuguese() throws IOException {
        ScenarioText.readAll(Path.of("..", "scenarios")).asMap().forEach((name, scenario) -> {
            var entry = scenario.getAsJsonObject();
            var translation = entry.getAsJsonObject("pt");
            assertThat(translation.get("title")).as(name).isNotEqualTo(entry.get("title"));
            assertThat(hasLines(translation.get("story"))).as(name).isEqualTo(hasLines(entry.get("story")));
            assertThat(translation.getAsJsonArray("notes").asList().stream()
                            .map(PageDataTest::hasLines)
                            .toList())
                    .as("runs with notes of %s", name)
                    .isEqualTo(entry.getAsJsonArray("runs").asList().stream()
                            .map(run -> hasLines(run.getAsJsonObject().get("notes")))
                            .toList());
        });
    }

    private static boolean hasLines(JsonElement lines) {
        return !lines.getAsJsonArray().isEmpty();
    }

    private static String line(JsonObject entry, String key) {
        var position = entry.getAsJsonObject("cases").getAsJsonArray(key);
        var file = entry.getAsJsonArray("files").get(position.get(0).getAsInt()).getAsString();
        return SourceIndex.text(file).lines().toList().get(position.get(1).getAsInt() - 1);
    }

    /** The keys as the page computes them from a trace. */
    private static Set<String> executedKeys(Algorithm algorithm) {
        int nodes = algorithm.nodeCount(AlgorithmParameters.defaults()).orElse(NODES);
        var keys = new TreeSet<String>();
        var topology = algorithm.shape() == Topology.Shape.RING ? Topology.ring(nodes) : Topology.complete(nodes);
        var protocol = algorithm.create(AlgorithmParameters.defaults().withNodeCount(nodes));
        var kinds = EnumSet.allOf(FaultKind.class);
        if (!algorithm.changesMembers()) {
            kinds.removeAll(Set.of(FaultKind.JOIN, FaultKind.LEAVE));
        }
        for (long seed = 1; seed <= SEEDS; seed++) {
            Simulation.of(protocol, SwarmFaults.inject(World.of(topology), kinds, seed), seed)
                    .withLimits(SwarmFaults.limits().withMaxSteps(STEPS_MAX))
                    .withTrace(event -> addKey(event, keys))
                    .run();
        }
        return keys;
    }

    private static void addKey(TraceEvent event, Set<String> keys) {
        if (event instanceof TraceEvent.Started started) {
            keys.add("Started " + started.how());
        } else if (event instanceof TraceEvent.Step) {
            var json = TraceJson.of(event, TimeScale.MILLIS).getAsJsonObject("event");
            keys.add(json.get("type").getAsString() + content(json));
        }
    }

    private static String content(JsonObject event) {
        if (event.get("type").getAsString().equals("Forward")) {
            return "";
        }
        if (event.has("timer")) {
            return " " + event.get("timer").getAsString();
        }
        return Stream.of("message", "call")
                .filter(event::has)
                .map(name -> " " + event.getAsJsonObject(name).get("type").getAsString())
                .findFirst()
                .orElse("");
    }

    private static int deflatedLength(String text) {
        var deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        deflater.setInput(text.getBytes(UTF_8));
        deflater.finish();
        return deflater.deflate(new byte[1 << 20]);
    }
}
