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

    private static final Mutant SMALL = mutant("any", "small", "two();", "three();");

    static Mutant mutant(String algorithm, String name, String original, String mutated) {
        var change = new SourceChange("", original, mutated);
        return new Mutant(algorithm, "", name, "Why not?", List.of(change), "", "termination");
    }

    private static String apply(String source) {
        return SMALL.apply(SMALL.changes().getFirst(), source);
    }

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
    void a_mutant_knows_the_numbers_of_its_lines(Mutant mutant) throws IOException {
        for (SourceChange change : mutant.changes()) {
            var lines = Files.readAllLines(RepositoryRoot.folder().resolve(mutant.sourceFile(change)));
            assertThat(change.originalCode())
                    .startsWith(lines.get(mutant.lineNumber(change) - 1).strip());
        }
    }

    @Test
    void a_mutant_changes_one_line_and_nothing_else() {
        assertThat(apply("one();\n    two();\ntwo(2);\n")).isEqualTo("one();\n    three();\ntwo(2);\n");
    }

    @Test
    void a_mutant_of_a_missing_line_is_rejected() {
        assertThatThrownBy(() -> apply("one();\n")).hasMessage("any/small: original line must occur once: two();");
    }

    @Test
    void a_mutant_of_a_line_that_occurs_twice_is_rejected() {
        assertThatThrownBy(() -> apply("two();\n  two();\n"))
                .hasMessage("any/small: original line must occur once: two();");
    }

    @Test
    void a_mutant_is_parsed_from_name_rationale_both_lines_and_property() {
        var text = "# a comment\n\nsmall\n    Why\n    not?\n  - two();\n  + three();\n    breaks termination\n";
        assertThat(Mutant.parse("any", text)).containsExactly(SMALL);
    }

    @Test
    void a_mutant_of_several_files_has_a_section_and_a_world() {
        var text = """
                ## Voting

                large
                    Why not?
                    in Raft
                  - one();
                  - two();
                  + three();
                  + four();
                  - five();
                    in Voting
                  - six();
                  + seven();
                    world raft -n 3
                    world --timeouts 1
                    breaks progress
                """;
        assertThat(Mutant.parse("raft", text))
                .containsExactly(new Mutant(
                        "raft",
                        "Voting",
                        "large",
                        "Why not?",
                        List.of(
                                new SourceChange("Raft", "one();\ntwo();", "three();\nfour();"),
                                new SourceChange("Raft", "five();", ""),
                                new SourceChange("Voting", "six();", "seven();")),
                        "raft -n 3 --timeouts 1",
                        "progress"));
    }

    @Test
    void changes_of_one_file_are_applied_together() {
        var mutant = Mutant.of("raft").stream()
                .filter(one -> one.name().startsWith("a5-"))
                .findFirst()
                .orElseThrow();
        assertThat(mutant.mutatedSources()).containsOnlyKeys("habemus.raft.Replication");
    }

    @Test
    void an_incomplete_mutant_is_rejected() {
        assertThatThrownBy(() -> Mutant.parse("any", "small\n - two();\n + three();\n breaks termination\n"))
                .hasMessageStartingWith("any/small must have a sentence");
        assertThatThrownBy(() -> Mutant.parse("any", "small\n Why not?\n - two();\n + three();\n"))
                .hasMessage("any/small has no line 'breaks PROPERTY'");
    }
}
