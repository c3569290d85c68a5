package habemus.course.chapter;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.course.chapter.Observation.Verdict;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DemonstrationsTest {

    static List<String> inThisJvm() {
        return names(false);
    }

    static List<String> withChildProcesses() {
        return names(true);
    }

    private static List<String> names(boolean withChild) {
        var withChildren = List.of("processes", "daemon", "affinity");
        return Demonstrations.ALL.stream()
                .map(Demonstration::name)
                .filter(name -> withChildren.contains(name) == withChild)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("inThisJvm")
    void a_demonstration_shows_what_it_claims(String name) throws InterruptedException {
        assertShown(name);
    }

    @ParameterizedTest
    @MethodSource("withChildProcesses")
    @Tag("slow")
    void a_demonstration_with_a_child_process_shows_what_it_claims(String name) throws InterruptedException {
        assertShown(name);
    }

    /** Races and tools that this machine may lack are not asserted. */
    private static void assertShown(String name) throws InterruptedException {
        var demonstration = Demonstrations.ALL.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        assertThat(demonstration.run())
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.verdict()).as(row.toString()).isNotEqualTo(Verdict.REFUTED));
    }

    @Test
    void names_are_unique() {
        assertThat(Demonstrations.ALL).extracting(Demonstration::name).doesNotHaveDuplicates();
    }
}
