package habemus.lab.museum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.check.Schedule;
import habemus.lab.bench.MarkedPage;
import habemus.small.PromisedWorld;
import habemus.world.Property;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever changes a line that matters is found out, in a world that the algorithm itself survives. */
class MuseumTest {

    /** Made anew by {@code ./habemus museum --search lab/src/main/resources/mutants/kills.json}. */
    private static final Map<Mutant, Kill> RECORDED = Kills.recorded();

    private static final Map<Mutant, Hunt> HUNTS = new ConcurrentHashMap<>();

    @BeforeAll
    static void build() {
        Mutant.all().parallelStream().forEach(mutant -> HUNTS.put(mutant, new Hunt(mutant)));
    }

    static List<Algorithm> algorithms() {
        return Catalogue.ALL;
    }

    @Test
    void no_mutant_is_without_a_recorded_run() throws IOException {
        assertThat(RECORDED.keySet()).containsExactlyElementsOf(Mutant.all());
        var file = Root.folder().resolve("lab/src/main/resources/mutants/kills.json");
        assertThat(Kills.json(RECORDED.values())).isEqualTo(Files.readString(file));
    }

    @Test
    void every_recorded_run_breaks_what_it_says_and_the_page_shows_it() throws IOException {
        var exhibits = Mutant.all().parallelStream()
                .map(mutant -> Exhibit.of(HUNTS.get(mutant), RECORDED.get(mutant))
                        .orElseThrow(() -> new AssertionError(mutant + " survives what is recorded")))
                .toList();
        var page = Files.readString(Root.folder().resolve("docs/museum.md"));
        assertThat(MarkedPage.of(page, Page.COMMAND).orElseThrow().with(Page.of(exhibits)))
                .isEqualTo(page);
    }

    @Test
    void the_algorithm_itself_survives_where_its_mutants_die() {
        var seen = new HashSet<String>();
        var different = RECORDED.values().stream()
                .filter(kill ->
                        seen.add(kill.mutant().algorithm() + kill.mutant().breaks() + kill.world()))
                .toList();
        assertThat(different.parallelStream()
                        .filter(kill -> !HUNTS.get(kill.mutant()).isSurvived(kill.world())))
                .isEmpty();
    }

    /** Of two nodes, and few steps, everything is searched in a moment. */
    @Test
    void a_search_finds_what_is_recorded() {
        var small = RECORDED.values().stream()
                .filter(kill -> kill.world().size().nodes() == 2 && kill.steps() <= 12)
                .toList();
        assertThat(small).hasSizeGreaterThan(50);
        assertThat(small.parallelStream()
                        .map(kill ->
                                HUNTS.get(kill.mutant()).searchIn(kill.world()).orElseThrow())
                        .toList())
                .isEqualTo(small);
    }

    @Test
    void who_survives_what_is_recorded_is_searched_anew() {
        var mutant = Mutant.of("chang-roberts").getFirst();
        var kill = RECORDED.get(mutant);
        for (String moves : List.of("1ask", "2leave")) {
            var stale = new Kill(mutant, kill.world(), Schedule.parse(moves), OptionalInt.empty());
            var worlds = new ArrayList<PromisedWorld>();
            var shown = new Museum(Map.of(mutant, stale)).show(mutant, worlds::add);
            assertThat(shown.map(one -> one.kill().schedule())).contains(kill.schedule());
            assertThat(worlds).hasToString("[" + kill.world() + "]");
        }
    }

    @Test
    void a_change_that_does_not_matter_survives() {
        var line = "case Phase.Follower() -> to(s).send(s.next, vote);";
        var same = new Mutant("anonymous-ring", "same", "Why not?", line, line + " // as before", "termination");
        assertThat(Museum.empty().show(same, world -> {})).isEmpty();
    }

    @Test
    void a_change_that_does_not_compile_says_so() {
        var line = "case Phase.Follower() -> to(s).send(s.next, vote);";
        var wrong = new Mutant("anonymous-ring", "wrong", "Why not?", line, "case nonsense", "termination");
        assertThatThrownBy(() -> new Hunt(wrong)).hasMessageStartingWith("anonymous-ring/wrong does not compile: ");
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void a_world_is_known_by_its_words_and_what_is_promised_there(Algorithm algorithm) {
        for (Property property : Property.of(algorithm.problem())) {
            assertThat(PromisedWorld.all(algorithm).stream()
                            .filter(world -> world.promise().properties().contains(property))
                            .map(PromisedWorld::toString))
                    .doesNotHaveDuplicates();
        }
    }
}
