package habemus.check;

import static habemus.world.Property.MUTUAL_EXCLUSION;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.mutex.Lamport;
import habemus.mutex.RicartAgrawala;
import habemus.mutex.RicartAgrawalaByPriority;
import habemus.world.Topology;
import habemus.world.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How to look, and when to give up. */
class EffortTest {

    private static final Scope THREE = Scope.of(Topology.complete(3));
    private static final RicartAgrawala PUBLISHED = new RicartAgrawala(false, List.of());

    private static Report check(Scope scope, Effort effort) {
        return Checker.check(PUBLISHED, scope.spending(effort), MUTUAL_EXCLUSION);
    }

    @Test
    void a_compacted_search_counts_the_same_in_less_memory_and_says_how_likely_it_is_wrong() {
        var scope = THREE.unordered().entering(2);
        var exact = check(scope, Effort.ample());
        var compacted = check(scope, Effort.ample().compacting());
        assertThat(compacted.states()).isEqualTo(exact.states());
        assertThat(compacted.transitions()).isEqualTo(exact.transitions());
        assertThat(compacted.bytes()).isLessThan(exact.bytes());
        assertThat(compacted.mistaken()).isBetween(1e-12, 1e-9);
        assertThat(exact.mistaken()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void a_compacted_search_finds_its_way_to_a_violation_again(int threads) {
        var effort = Effort.ample().threads(threads);
        var exact = Checker.check(new RicartAgrawalaByPriority(), THREE.spending(effort), MUTUAL_EXCLUSION);
        var compacted =
                Checker.check(new RicartAgrawalaByPriority(), THREE.spending(effort.compacting()), MUTUAL_EXCLUSION);
        var run = compacted.find(MUTUAL_EXCLUSION.toString()).orElseThrow().run();
        assertThat(run.getLast().at()).isEqualTo(10);
        assertThat(exact.verdict(MUTUAL_EXCLUSION)).isEqualTo(compacted.verdict(MUTUAL_EXCLUSION));
    }

    @Test
    void a_search_looks_only_so_many_steps_ahead() {
        var bounded = check(THREE, Effort.ample().depth(9));
        assertThat(bounded.bounded()).containsExactly("at most 9 steps");
        assertThat(bounded.verdict(MUTUAL_EXCLUSION)).isEqualTo(Verdict.OPEN);
        var whole = check(THREE, Effort.ample());
        var deep = check(THREE, Effort.ample().depth(whole.depth() + 1));
        assertThat(deep.complete()).isTrue();
    }

    @Test
    void who_looks_on_hears_of_a_growing_number_and_may_have_seen_enough() {
        var heard = new ArrayList<Effort.Sofar>();
        var effort = Effort.ample().watchedBy(sofar -> {
            heard.add(sofar);
            return heard.size() < 3;
        });
        var report = Checker.check(new Lamport(), THREE.entering(3).spending(effort), MUTUAL_EXCLUSION);
        assertThat(heard).hasSize(3).extracting(Effort.Sofar::states).isSorted();
        assertThat(heard).allMatch(sofar -> sofar.frontier() > 0 && sofar.frontier() <= sofar.states());
        assertThat(report.bounded()).containsExactly("interrupted");
        assertThat(report.verdict(MUTUAL_EXCLUSION)).isEqualTo(Verdict.OPEN);
    }

    @Test
    void a_search_that_ran_out_of_memory_says_how_much_it_would_need() {
        var scope = THREE.unordered().entering(2);
        long needed = check(scope, Effort.ample()).bytes();
        var report = check(scope, Effort.ample().bytes(needed / 2));
        assertThat(report.bounded()).singleElement().asString().matches("at most .* bytes: .* states were met, .*");
        assertThat(report.bytes()).isBetween(needed / 2, needed);
        var early = check(scope, Effort.ample().bytes(1));
        assertThat(early.bounded()).singleElement().asString().endsWith("no end is in sight");
    }
}
