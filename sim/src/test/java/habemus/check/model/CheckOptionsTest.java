package habemus.check.model;

import static habemus.world.Property.MUTUAL_EXCLUSION;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.check.ModelChecker;
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
class CheckOptionsTest {

    private static final Scope THREE = Scope.of(Topology.complete(3));
    private static final RicartAgrawala PUBLISHED = new RicartAgrawala(false, List.of());

    private static CheckReport check(Scope scope, CheckOptions checkOptions) {
        return ModelChecker.check(PUBLISHED, scope.withOptions(checkOptions), MUTUAL_EXCLUSION);
    }

    @Test
    void a_compacted_search_counts_the_same_in_less_memory_and_says_how_likely_it_is_wrong() {
        var scope = THREE.withUnorderedLinks().withRequestsPerNode(2);
        var exact = check(scope, CheckOptions.defaults());
        var compacted = check(scope, CheckOptions.defaults().withHashCompaction());
        assertThat(compacted.states()).isEqualTo(exact.states());
        assertThat(compacted.transitions()).isEqualTo(exact.transitions());
        assertThat(compacted.bytes()).isLessThan(exact.bytes());
        assertThat(compacted.collisionProbability()).isBetween(1e-12, 1e-9);
        assertThat(exact.collisionProbability()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void a_compacted_search_finds_its_way_to_a_violation_again(int threads) {
        var checkOptions = CheckOptions.defaults().withThreads(threads);
        var exact =
                ModelChecker.check(new RicartAgrawalaByPriority(), THREE.withOptions(checkOptions), MUTUAL_EXCLUSION);
        var compacted = ModelChecker.check(
                new RicartAgrawalaByPriority(), THREE.withOptions(checkOptions.withHashCompaction()), MUTUAL_EXCLUSION);
        var run = compacted.find(MUTUAL_EXCLUSION.toString()).orElseThrow().trace();
        assertThat(run.getLast().at()).isEqualTo(10);
        assertThat(exact.verdict(MUTUAL_EXCLUSION)).isEqualTo(compacted.verdict(MUTUAL_EXCLUSION));
    }

    @Test
    void a_search_looks_only_so_many_steps_ahead() {
        var bounded = check(THREE, CheckOptions.defaults().withMaxDepth(9));
        assertThat(bounded.limitsReached()).containsExactly("at most 9 steps");
        assertThat(bounded.verdict(MUTUAL_EXCLUSION)).isEqualTo(Verdict.OPEN);
        var whole = check(THREE, CheckOptions.defaults());
        var deep = check(THREE, CheckOptions.defaults().withMaxDepth(whole.depth() + 1));
        assertThat(deep.isComplete()).isTrue();
    }

    @Test
    void who_looks_on_hears_of_a_growing_number_and_may_have_seen_enough() {
        var heard = new ArrayList<CheckOptions.Progress>();
        var checkOptions = CheckOptions.defaults().withProgressListener(progress -> {
            heard.add(progress);
            return heard.size() < 3;
        });
        var checkReport = ModelChecker.check(
                new Lamport(), THREE.withRequestsPerNode(3).withOptions(checkOptions), MUTUAL_EXCLUSION);
        assertThat(heard).hasSize(3).extracting(CheckOptions.Progress::states).isSorted();
        assertThat(heard).allMatch(progress -> progress.frontier() > 0 && progress.frontier() <= progress.states());
        assertThat(checkReport.limitsReached()).containsExactly("interrupted");
        assertThat(checkReport.verdict(MUTUAL_EXCLUSION)).isEqualTo(Verdict.OPEN);
    }

    @Test
    void a_search_that_ran_out_of_memory_says_how_much_it_would_need() {
        var scope = THREE.withUnorderedLinks().withRequestsPerNode(2);
        long needed = check(scope, CheckOptions.defaults()).bytes();
        var checkReport = check(scope, CheckOptions.defaults().withMaxBytes(needed / 2));
        assertThat(checkReport.limitsReached())
                .singleElement()
                .asString()
                .matches("at most .* bytes: .* states were met, .*");
        assertThat(checkReport.bytes()).isBetween(needed / 2, needed);
        var early = check(scope, CheckOptions.defaults().withMaxBytes(1));
        assertThat(early.limitsReached()).singleElement().asString().endsWith("no end is in sight");
    }
}
