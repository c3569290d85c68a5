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

/** The limits and switches of a search. */
class CheckOptionsTest {

    private static final Scope THREE = Scope.of(Topology.complete(3));
    private static final RicartAgrawala PUBLISHED = new RicartAgrawala(false, List.of());

    private static CheckReport check(Scope scope, CheckOptions options) {
        return ModelChecker.check(PUBLISHED, scope.withOptions(options), MUTUAL_EXCLUSION);
    }

    @Test
    void hash_compaction_counts_the_same_states_in_less_memory_and_reports_the_collision_probability() {
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
    void hash_compaction_still_gives_a_shortest_run_to_a_violation(int threads) {
        var options = CheckOptions.defaults().withThreads(threads);
        var exact = ModelChecker.check(new RicartAgrawalaByPriority(), THREE.withOptions(options), MUTUAL_EXCLUSION);
        var compacted = ModelChecker.check(
                new RicartAgrawalaByPriority(), THREE.withOptions(options.withHashCompaction()), MUTUAL_EXCLUSION);
        var run = compacted.find(MUTUAL_EXCLUSION.toString()).orElseThrow().trace();
        assertThat(run.getLast().at()).isEqualTo(10);
        assertThat(exact.verdict(MUTUAL_EXCLUSION)).isEqualTo(compacted.verdict(MUTUAL_EXCLUSION));
    }

    @Test
    void the_depth_limit_ends_a_search() {
        var bounded = check(THREE, CheckOptions.defaults().withMaxDepth(9));
        assertThat(bounded.limitsReached()).containsExactly("at most 9 steps");
        assertThat(bounded.verdict(MUTUAL_EXCLUSION)).isEqualTo(Verdict.OPEN);
        var whole = check(THREE, CheckOptions.defaults());
        var deep = check(THREE, CheckOptions.defaults().withMaxDepth(whole.depth() + 1));
        assertThat(deep.isComplete()).isTrue();
    }

    @Test
    void a_progress_listener_gets_growing_counts_and_may_stop_the_search() {
        var reported = new ArrayList<CheckOptions.Progress>();
        var options = CheckOptions.defaults().withProgressListener(progress -> {
            reported.add(progress);
            return reported.size() < 3;
        });
        var report =
                ModelChecker.check(new Lamport(), THREE.withRequestsPerNode(3).withOptions(options), MUTUAL_EXCLUSION);
        assertThat(reported)
                .hasSize(3)
                .extracting(CheckOptions.Progress::states)
                .isSorted();
        assertThat(reported).allMatch(progress -> progress.frontier() > 0 && progress.frontier() <= progress.states());
        assertThat(report.limitsReached()).containsExactly("interrupted");
        assertThat(report.verdict(MUTUAL_EXCLUSION)).isEqualTo(Verdict.OPEN);
    }

    @Test
    void a_search_that_reaches_the_memory_limit_predicts_its_need() {
        var scope = THREE.withUnorderedLinks().withRequestsPerNode(2);
        long needed = check(scope, CheckOptions.defaults()).bytes();
        var report = check(scope, CheckOptions.defaults().withMaxBytes(needed / 2));
        assertThat(report.limitsReached())
                .singleElement()
                .asString()
                .matches("at most .* bytes: .* states visited, .*");
        assertThat(report.bytes()).isBetween(needed / 2, needed);
        var early = check(scope, CheckOptions.defaults().withMaxBytes(1));
        assertThat(early.limitsReached()).singleElement().asString().endsWith("total not predictable yet");
    }
}
