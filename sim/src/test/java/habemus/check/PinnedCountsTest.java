package habemus.check;

import static habemus.check.StateCounts.assertSize;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.check.model.CheckOptions;
import habemus.check.model.Scope;
import habemus.election.Bully;
import habemus.election.ChangRoberts;
import habemus.mutex.Lamport;
import habemus.mutex.RicartAgrawala;
import habemus.mutex.RicartAgrawalaByPriority;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Ranking;
import habemus.world.FaultKind;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pins state counts. TLC has counted the first two as well: see the manifests of {@code tlaplus/Examples}. The total of
 * TLC also counts the initial states, and its depth counts states where ours counts transitions.
 */
class PinnedCountsTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void the_tla_module_of_lamport_has_the_states_that_tlc_counts_on_any_number_of_threads(int threads) {
        var scope = TlaLamport.scope(3, 6).withOptions(CheckOptions.defaults().withThreads(threads));
        var report = ModelChecker.check(new TlaLamport(), scope, Property.MUTUAL_EXCLUSION);
        assertThat(report.states()).isEqualTo(724_274);
        assertThat(report.transitions() + 1).isEqualTo(2_729_079);
        assertThat(report.depth() + 1).isEqualTo(61);
        assertThat(report.bytes() / report.states()).isLessThanOrEqualTo(64);
        assertThat(report.limitsReached()).singleElement().asString().startsWith("clocks up to 6");
        assertThat(report.verdict(Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.OPEN);
    }

    /** The initiators are part of a state there, so the states of all eight sets of initiators are added up. */
    @Test
    void the_tla_module_of_chang_and_roberts_has_the_states_that_tlc_counts() {
        long states = 0;
        long total = 0;
        int depth = 0;
        for (int set = 0; set < 8; set++) {
            var module = new TlaChangRoberts(List.of((set & 1) != 0, (set & 2) != 0, (set & 4) != 0));
            var report = ModelChecker.check(
                    module, Scope.of(Topology.complete(1)).withRequestsPerNode(0), Property.UNIQUENESS);
            assertThat(report.isComplete()).isTrue();
            states += report.states();
            total += 1 + report.transitions();
            depth = Math.max(depth, 1 + report.depth());
        }
        assertThat(states).isEqualTo(137);
        assertThat(total).isEqualTo(227);
        assertThat(depth).isEqualTo(10);
    }

    /** Here any set of nodes may start the election, in one scope. */
    @Test
    void chang_and_roberts() {
        var ring = Scope.of(Topology.ring(3));
        assertSize(ModelChecker.check(new ChangRoberts(Ranking.BY_NUMBER), ring), 189, 356);
        assertSize(ModelChecker.check(new ChangRoberts(Ranking.BY_NUMBER), ring.withUnorderedLinks()), 1_003, 2_137);
        assertSize(ModelChecker.check(new ChangRoberts(Ranking.BY_NUMBER), Scope.of(Topology.ring(5))), 5_241, 16_125);
    }

    /** The prototype of this checker, which kept only hashes, counted the same. */
    @Test
    void ricart_and_agrawala() {
        var scope = Scope.of(Topology.complete(3)).withUnorderedLinks().withRequestsPerNode(2);
        var properties = new Property[] {
            Property.MUTUAL_EXCLUSION, Property.DEADLOCK_FREEDOM, Property.NO_STARVATION, Property.FENCES_GROW
        };
        var report = ModelChecker.check(new RicartAgrawala(false, List.of()), scope, properties);
        assertSize(report, 58_849, 197_092);
        assertThat(Set.of(properties)).allMatch(property -> report.verdict(property) == Verdict.HOLDS);
    }

    @Test
    void lamport() {
        var two = Scope.of(Topology.complete(2)).withRequestsPerNode(3);
        assertSize(ModelChecker.check(new Lamport(), two, Property.MUTUAL_EXCLUSION), 3_064, 4_691);
        var callers = NodeSet.of(new NodeId(1), new NodeId(3));
        var three = Scope.of(Topology.complete(3)).withRequests(callers, 2);
        assertSize(ModelChecker.check(new Lamport(), three), 168_816, 380_422);
    }

    @Test
    void bully() {
        var bully = new Bully(Ranking.BY_NUMBER, Duration.ofMillis(100), Duration.ofMillis(500));
        var crash = Scope.of(Topology.complete(3)).withFault(FaultKind.CRASH, 1).synchronous();
        assertSize(ModelChecker.check(bully, crash), 12_539, 39_393);
    }

    @Test
    void ricart_and_agrawala_by_priority() {
        var scope = Scope.of(Topology.complete(3));
        assertSize(ModelChecker.check(new RicartAgrawalaByPriority(), scope), 7_715, 20_283);
    }

    /** More nodes, of which only some request: some behaviour needs more than three nodes. */
    @Test
    void larger_scopes() {
        var bully = new Bully(Ranking.BY_NUMBER, Duration.ofMillis(100), Duration.ofMillis(500));
        var four = Scope.of(Topology.complete(4)).synchronous();
        assertSize(
                ModelChecker.check(bully, four.withRequests(nodes(1), 1).withFault(FaultKind.CRASH, 1)),
                86_806,
                422_260);
        assertSize(ModelChecker.check(bully, four.withRequests(nodes(1, 2), 1)), 85_990, 446_571);
        var five = Scope.of(Topology.complete(5));
        var published = new RicartAgrawala(false, List.of());
        assertSize(ModelChecker.check(published, five.withRequests(nodes(1, 2), 1)), 30_171, 145_299);
        assertSize(
                ModelChecker.check(new RicartAgrawalaByPriority(), five.withRequests(nodes(1, 5), 1)), 31_527, 152_181);
        var lamports = Scope.of(Topology.complete(4)).withRequests(nodes(1, 2), 1);
        assertSize(ModelChecker.check(new Lamport(), lamports), 24_940, 70_298);
        var ring = Scope.of(Topology.ring(7)).withRequests(nodes(1, 4), 1);
        assertSize(ModelChecker.check(new ChangRoberts(Ranking.BY_NUMBER), ring), 132, 201);
    }

    private static NodeSet nodes(int... numbers) {
        return NodeSet.of(Arrays.stream(numbers).mapToObj(NodeId::new).toList());
    }
}
