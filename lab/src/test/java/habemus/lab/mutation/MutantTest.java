package habemus.lab.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.check.model.CheckReport;
import habemus.world.Property;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How mutants are written down. */
class MutantTest {

    private static final Mutant SMALL = new Mutant("any", "small", "Why not?", "two();", "three();", "termination");

    static List<Mutant> mutants() {
        return Mutant.all();
    }

    /** The mutants of the service are not of one class only, and die of time: {@code FencedMutantsTest} has them. */
    static Stream<String> sound() {
        return Catalogue.ALL.stream()
                .filter(one -> !one.broken() && !one.isService())
                .map(Algorithm::name);
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
        var names = Stream.concat(
                Stream.of(CheckReport.PROTOCOL_BUG),
                Stream.of(Property.values()).map(Property::toString));
        assertThat(names).contains(mutant.breaks());
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void a_mutant_knows_where_its_line_stands(Mutant mutant) throws IOException {
        var lines = Files.readAllLines(RepositoryRoot.folder().resolve(mutant.sourceFile()));
        assertThat(lines.get(mutant.lineNumber() - 1).strip()).isEqualTo(mutant.originalLine());
    }

    @Test
    void a_mutant_changes_one_line_and_nothing_else() {
        assertThat(SMALL.applyTo("one();\n    two();\ntwo(2);\n")).isEqualTo("one();\n    three();\ntwo(2);\n");
    }

    @Test
    void a_mutant_of_a_line_that_is_gone_says_so() {
        assertThatThrownBy(() -> SMALL.applyTo("one();\n"))
                .hasMessage("any/small changes a line that is there 0 times, not once: two();");
    }

    @Test
    void a_mutant_of_a_line_that_is_there_twice_says_so() {
        assertThatThrownBy(() -> SMALL.applyTo("two();\n  two();\n"))
                .hasMessage("any/small changes a line that is there 2 times, not once: two();");
    }

    @Test
    void a_mutant_is_written_as_its_name_its_temptation_both_lines_and_what_it_breaks() {
        var text = "# a remark\n\nsmall\n    Why\n    not?\n  - two();\n  + three();\n    breaks termination\n";
        assertThat(Mutant.parse("any", text)).containsExactly(SMALL);
    }

    @Test
    void a_mutant_that_is_not_written_down_in_full_says_what_is_missing() {
        assertThatThrownBy(() -> Mutant.parse("any", "small\n - two();\n + three();\n breaks termination\n"))
                .hasMessageStartingWith("any/small needs a sentence");
        assertThatThrownBy(() -> Mutant.parse("any", "small\n Why not?\n - two();\n + three();\n"))
                .hasMessage("any/small does not say what it breaks");
    }
}
