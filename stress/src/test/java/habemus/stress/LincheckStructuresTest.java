package habemus.stress;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.course.threads.StressReport.Structure;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LincheckStructuresTest {

    @Test
    @Tag("slow")
    void lincheck_finds_the_broken_structures_and_no_other() {
        var report = LincheckStructures.run((done, all, what) -> {});
        assertThat(report.isAsExpected()).isTrue();
        assertThat(report.structures())
                .filteredOn(structure -> !structure.isCorrect())
                .extracting(Structure::interleaving)
                .allSatisfy(lines -> assertThat(lines).anyMatch(line -> line.contains("switch")));
    }

    @Test
    void an_interleaving_ends_before_the_detailed_trace() {
        assertThat(LincheckStructures.interleaving("\n| a |\n\n---\nDetailed trace:\n| b |"))
                .containsExactly("| a |");
    }
}
