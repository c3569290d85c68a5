package habemus.lab.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.check.model.Schedule;
import habemus.lab.benchmark.MarkdownSection;
import habemus.smallscope.CommandLineScope;
import habemus.smallscope.GuaranteeScope;
import habemus.smallscope.SmallScope;
import habemus.world.Property;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The checker kills every mutant in a scope in which the original algorithm violates nothing. */
@Tag("slow")
class KillingRunsTest {

    /** Written by {@code ./habemus mutants --search lab/src/main/resources/mutants/kills.json}. */
    private static final Map<Mutant, KillingRun> RECORDED = KillingRuns.recorded();

    private static final Map<Mutant, MutantSearch> HUNTS = new ConcurrentHashMap<>();

    @BeforeAll
    static void build() {
        Mutant.all().parallelStream().forEach(mutant -> HUNTS.put(mutant, new MutantSearch(mutant)));
    }

    static List<Algorithm> algorithms() {
        return Catalogue.ALL;
    }

    @Test
    void every_mutant_has_a_recorded_run() throws IOException {
        assertThat(RECORDED.keySet()).containsExactlyElementsOf(Mutant.all());
        var file = RepositoryRoot.folder().resolve("lab/src/main/resources/mutants/kills.json");
        assertThat(KillingRuns.toJson(RECORDED.values())).isEqualTo(Files.readString(file));
    }

    @Test
    void every_recorded_run_kills_its_mutant_and_the_page_shows_it() throws IOException {
        var killedMutants = Mutant.all().parallelStream()
                .map(mutant -> KilledMutant.replay(HUNTS.get(mutant), RECORDED.get(mutant))
                        .orElseThrow(() -> new AssertionError(mutant + " survives its recorded run")))
                .toList();
        assertPage("docs/mutants.md", MutantPage.COMMAND, MutantPage.of(killedMutants));
        var raft = killedMutants.stream()
                .filter(killed -> killed.mutant().algorithm().equals("raft"))
                .toList();
        assertPage("docs/raft.md", MutantPage.COMMAND + " raft", MutantPage.ofAlgorithm(raft));
        assertThat(committedPictures("docs/raft")).isEqualTo(MutantPage.pictures(raft));
    }

    private static SortedMap<String, String> committedPictures(String folder) throws IOException {
        var pictures = new TreeMap<String, String>();
        try (var files = Files.list(RepositoryRoot.folder().resolve(folder))) {
            for (Path file : files.toList()) {
                pictures.put(
                        RepositoryRoot.folder().resolve("docs").relativize(file).toString(), Files.readString(file));
            }
        }
        return pictures;
    }

    private static void assertPage(String file, String command, String content) throws IOException {
        var page = Files.readString(RepositoryRoot.folder().resolve(file));
        assertThat(MarkdownSection.find(page, command).orElseThrow().replaceWith(content))
                .isEqualTo(page);
    }

    @Test
    void the_original_algorithm_survives_where_its_mutants_die() {
        var seen = new HashSet<String>();
        var different = RECORDED.values().stream()
                .filter(killingRun -> !isLarge(killingRun))
                .filter(killingRun -> seen.add(
                        killingRun.mutant().algorithm() + killingRun.mutant().breaks() + killingRun.smallScope()))
                .toList();
        assertThat(different.parallelStream()
                        .filter(killingRun ->
                                !HUNTS.get(killingRun.mutant()).originalSurvives(killingRun.smallScope())))
                .isEmpty();
    }

    /** The check of these worlds takes long: {@code habemus mutants raft --search} does it. */
    private static boolean isLarge(KillingRun killingRun) {
        return killingRun.smallScope() instanceof CommandLineScope scope
                && (scope.nodes() > 2 || scope.scope().options().hashCompaction());
    }

    /** Only scopes with two nodes and short runs, which are searched quickly. */
    @Test
    void a_search_finds_the_recorded_run() {
        var small = RECORDED.values().stream()
                .filter(killingRun ->
                        killingRun.smallScope().scope().topology().size() <= 2 && killingRun.steps() <= 12)
                .toList();
        assertThat(small).hasSizeGreaterThan(50);
        assertThat(small.parallelStream()
                        .map(killingRun -> HUNTS.get(killingRun.mutant())
                                .searchIn(killingRun.smallScope())
                                .orElseThrow())
                        .toList())
                .isEqualTo(small);
    }

    @Test
    void a_mutant_that_survives_its_recorded_run_is_searched_again() {
        var mutant = Mutant.of("chang-roberts").getFirst();
        var killingRun = RECORDED.get(mutant);
        for (String moves : List.of("1request", "2release")) {
            var stale = new KillingRun(mutant, killingRun.smallScope(), Schedule.parse(moves), OptionalInt.empty());
            var worlds = new ArrayList<SmallScope>();
            var shown = new MutationReport(Map.of(mutant, stale)).replayOrSearch(mutant, worlds::add);
            assertThat(shown.map(killed -> killed.killingRun().schedule())).contains(killingRun.schedule());
            assertThat(worlds).hasToString("[" + killingRun.smallScope() + "]");
        }
    }

    @Test
    void an_equivalent_mutant_survives() {
        var line = "case Phase.Follower() -> to(s).send(s.next, vote);";
        var same = MutantTest.mutant("anonymous-ring", "same", line, line + " // as before");
        assertThat(MutationReport.empty().replayOrSearch(same, world -> {})).isEmpty();
    }

    @Test
    void a_mutant_that_does_not_compile_is_reported() {
        var line = "case Phase.Follower() -> to(s).send(s.next, vote);";
        var wrong = MutantTest.mutant("anonymous-ring", "wrong", line, "case nonsense");
        assertThatThrownBy(() -> new MutantSearch(wrong))
                .hasMessageStartingWith("anonymous-ring/wrong does not compile: ");
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void the_scopes_of_a_guarantee_have_distinct_names(Algorithm algorithm) {
        for (Property property : Property.of(algorithm.problem())) {
            assertThat(GuaranteeScope.all(algorithm).stream()
                            .filter(world -> world.guarantee().properties().contains(property))
                            .map(GuaranteeScope::toString))
                    .doesNotHaveDuplicates();
        }
    }
}
