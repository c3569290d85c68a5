package habemus.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import habemus.RandomWorlds;
import habemus.Trial;
import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.catalogue.Setting;
import habemus.small.PromisedWorld;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Verdict;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever changes a line that matters is found out, in worlds that the algorithm itself survives. */
class MutantTest {

    private static final int SEEDS = 3_000;

    private static final Mutant SMALL = new Mutant("any", "small", "Why not?", "two();", "three();", "termination");

    static List<Mutant> mutants() {
        return Mutant.all();
    }

    static List<Mutant> mutantsOfMutexes() {
        return of(Problem.MUTEX);
    }

    static List<Mutant> mutantsOfDetectors() {
        return of(Problem.DETECTOR);
    }

    static List<Mutant> mutantsOfElections() {
        return of(Problem.ELECTION);
    }

    private static List<Mutant> of(Problem problem) {
        return mutants().stream()
                .filter(mutant -> algorithm(mutant).problem() == problem)
                .toList();
    }

    private static Algorithm algorithm(Mutant mutant) {
        return Catalogue.find(mutant.algorithm()).orElseThrow();
    }

    static Stream<String> sound() {
        return Catalogue.ALL.stream().filter(one -> !one.broken()).map(Algorithm::name);
    }

    @ParameterizedTest
    @MethodSource("mutantsOfElections")
    void a_mutant_of_an_election_is_killed_by_a_seed_where_the_algorithm_survives(Mutant mutant) {
        var algorithm = algorithm(mutant);
        var workshop = Workshop.open(mutant, algorithm.make(Setting.standard()).getClass());
        for (long seed = 1; seed <= SEEDS; seed++) {
            var trial = RandomWorlds.promised(algorithm, seed);
            assertThat(trial.broken())
                    .as("what %s itself breaks with seed %d", algorithm.name(), seed)
                    .isEmpty();
            if (trial.broken(workshop.rebuild(trial.protocol())).contains(mutant.breaks())) {
                return;
            }
        }
        fail("%s survived %d seeds; it should break %s", mutant, SEEDS, mutant.breaks());
    }

    @ParameterizedTest
    @MethodSource({"mutantsOfMutexes", "mutantsOfDetectors"})
    void a_mutant_of_a_mutex_or_a_detector_is_killed_by_the_checker_where_the_algorithm_survives(Mutant mutant) {
        var algorithm = algorithm(mutant);
        var workshop = Workshop.open(mutant, algorithm.make(Setting.standard()).getClass());
        var worlds = PromisedWorld.of(algorithm);
        for (var world : worlds) {
            for (Property property : judged(mutant, world)) {
                var finding = world.check(workshop.rebuild(world.protocol()), property)
                        .find(mutant.breaks())
                        .filter(found -> found.verdict() == Verdict.VIOLATED);
                if (finding.isPresent()) {
                    assertThat(finding.get().run()).isNotEmpty();
                    assertThat(world.check(world.protocol(), property).failed())
                            .as("what %s itself breaks in %s", algorithm.name(), world)
                            .isFalse();
                    return;
                }
            }
        }
        fail("%s survived %d small worlds; it should break %s", mutant, worlds.size(), mutant.breaks());
    }

    /** A bug shows whatever is judged. */
    private static List<Property> judged(Mutant mutant, PromisedWorld world) {
        var promised = world.promise().properties().stream();
        return mutant.breaks().equals(Trial.BUG)
                ? promised.limit(1).toList()
                : promised.filter(property -> property.toString().equals(mutant.breaks()))
                        .toList();
    }

    @ParameterizedTest
    @MethodSource("sound")
    void every_algorithm_has_at_least_three_mutants(String algorithm) {
        assertThat(Mutant.of(algorithm)).hasSizeGreaterThanOrEqualTo(3);
    }

    @Test
    void no_two_mutants_of_an_algorithm_have_the_same_name() {
        assertThat(mutants()).extracting(Mutant::toString).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void a_mutant_breaks_something_that_has_a_name(Mutant mutant) {
        var names =
                Stream.concat(Stream.of(Trial.BUG), Stream.of(Property.values()).map(Property::toString));
        assertThat(names).contains(mutant.breaks());
    }

    @Test
    void a_mutant_changes_one_line_and_nothing_else() {
        assertThat(SMALL.in("one();\n    two();\ntwo(2);\n")).isEqualTo("one();\n    three();\ntwo(2);\n");
    }

    @Test
    void a_mutant_of_a_line_that_is_gone_says_so() {
        assertThatThrownBy(() -> SMALL.in("one();\n"))
                .hasMessage("any: small changes a line that is there 0 times, not once: two();");
    }

    @Test
    void a_mutant_of_a_line_that_is_there_twice_says_so() {
        assertThatThrownBy(() -> SMALL.in("two();\n  two();\n"))
                .hasMessage("any: small changes a line that is there 2 times, not once: two();");
    }

    @Test
    void a_mutant_is_written_as_its_name_its_temptation_both_lines_and_what_it_breaks() {
        var text = "# a remark\n\nsmall\n    Why\n    not?\n  - two();\n  + three();\n    breaks termination\n";
        assertThat(Mutant.read("any", text)).containsExactly(SMALL);
    }

    @Test
    void a_mutant_that_is_not_written_down_in_full_says_what_is_missing() {
        assertThatThrownBy(() -> Mutant.read("any", "small\n - two();\n + three();\n breaks termination\n"))
                .hasMessageStartingWith("any: small needs a sentence");
        assertThatThrownBy(() -> Mutant.read("any", "small\n Why not?\n - two();\n + three();\n"))
                .hasMessage("any: small does not say what it breaks");
    }
}
