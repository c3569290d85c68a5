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

class MutantTest {

    private static final Mutant SMALL = new Mutant("any", "small", "Why not?", "two();", "three();", "termination");

    static List<Mutant> mutants() {
        return Mutant.all();
    }

    /** Without the lock service: its mutants change several classes and need timed runs, see LockServiceMutantsTest. */
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
    void a_mutant_names_the_property_that_it_violates(Mutant mutant) {
        var names = Stream.concat(
                Stream.of(CheckReport.PROTOCOL_BUG),
                Stream.of(Property.values()).map(Property::toString));
        assertThat(names).contains(mutant.breaks());
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void a_mutant_knows_the_number_of_its_line(Mutant mutant) throws IOException {
        var lines = Files.readAllLines(RepositoryRoot.folder().resolve(mutant.sourceFile()));
        assertThat(mutant.originalLine())
                .startsWith(lines.get(mutant.lineNumber() - 1).strip());
    }

    @Test
    void a_mutant_changes_one_line_and_nothing_else() {
        assertThat(SMALL.applyTo("one();\n    two();\ntwo(2);\n")).isEqualTo("one();\n    three();\ntwo(2);\n");
    }

    @Test
    void a_mutant_of_a_missing_line_is_rejected() {
        assertThatThrownBy(() -> SMALL.applyTo("one();\n"))
                .hasMessage("any/small: original line must occur once, was found 0 times: two();");
    }

    @Test
    void a_mutant_of_a_line_that_occurs_twice_is_rejected() {
        assertThatThrownBy(() -> SMALL.applyTo("two();\n  two();\n"))
                .hasMessage("any/small: original line must occur once, was found 2 times: two();");
    }

    @Test
    void a_mutant_is_parsed_from_name_rationale_both_lines_and_property() {
        var text = "# a comment\n\nsmall\n    Why\n    not?\n  - two();\n  + three();\n    breaks termination\n";
        assertThat(Mutant.parse("any", text)).containsExactly(SMALL);
    }

    @Test
    void an_incomplete_mutant_is_rejected() {
        assertThatThrownBy(() -> Mutant.parse("any", "small\n - two();\n + three();\n breaks termination\n"))
                .hasMessageStartingWith("any/small must have a sentence");
        assertThatThrownBy(() -> Mutant.parse("any", "small\n Why not?\n - two();\n + three();\n"))
                .hasMessage("any/small has no line 'breaks PROPERTY'");
    }
}
