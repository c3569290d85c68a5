package habemus.check.reduction;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.check.ModelChecker;
import habemus.check.QueueCoordinator;
import habemus.check.model.CheckOptions;
import habemus.check.model.CheckReport;
import habemus.check.model.CrashTarget;
import habemus.check.model.NodePermutation;
import habemus.check.model.Scope;
import habemus.mutex.RicartAgrawala;
import habemus.mutex.RicartAgrawalaByPriority;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.world.FaultKind;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A search with order or symmetry reduction gives the same verdicts as one without. */
@Tag("slow")
class ReductionTest {

    private static final RicartAgrawala PUBLISHED = new RicartAgrawala(false, List.of());
    private static final CheckOptions SMALL = CheckOptions.defaults().withMaxStates(6_000);
    private static final int MIN_COMPARED = 5; // scopes of an algorithm must be small enough to be compared

    static Stream<Algorithm> algorithms() {
        return Catalogue.ALL.stream().filter(algorithm -> algorithm.problem() != Problem.THREADS); // no fixed sizes
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void every_algorithm_gets_the_same_verdicts_in_every_small_scope(Algorithm algorithm) {
        int compared = 0;
        for (int nodes = 2; nodes <= 3; nodes++) {
            boolean ring = algorithm.shape() == Topology.Shape.RING;
            var topology = ring ? Topology.ring(nodes) : Topology.complete(nodes);
            var protocol = algorithm.create(AlgorithmParameters.defaults().withNodeCount(nodes));
            var scopes = scopes(Scope.of(topology).withMaxTimeouts(2));
            if (algorithm.problem() != Problem.DETECTOR) {
                addCrashTargets(scopes);
            }
            for (Scope scope : scopes) {
                compared += hasSameVerdicts(protocol, scope, checked(algorithm)) ? 1 : 0;
            }
        }
        assertThat(compared).isGreaterThanOrEqualTo(MIN_COMPARED);
    }

    private static List<Scope> scopes(Scope kind) {
        var scopes = new ArrayList<Scope>();
        for (Scope scope : List.of(
                kind,
                kind.withUnorderedLinks(),
                kind.synchronous(),
                kind.withUnorderedLinks().withMidStepCrashes())) {
            scopes.add(scope);
            scopes.add(scope.withFault(FaultKind.LOSS, 1));
            scopes.add(scope.withFault(FaultKind.DUPLICATION, 1));
            scopes.add(scope.withFault(FaultKind.CRASH, 1));
            scopes.add(scope.withFault(FaultKind.CRASH, 1).withFault(FaultKind.RESTART, 1));
            scopes.add(scope.withFault(FaultKind.CRASH, 1).withFault(FaultKind.AMNESIA, 1));
        }
        scopes.add(kind.synchronous().withFault(FaultKind.PAUSE, 1));
        scopes.add(kind.synchronous().withUnorderedLinks().withFault(FaultKind.PAUSE, 1));
        return scopes;
    }

    private static void addCrashTargets(List<Scope> scopes) {
        scopes.stream()
                .filter(scope -> scope.faults().limit(FaultKind.CRASH) > 0
                        && scope.faults().limits().size() == 1)
                .toList()
                .forEach(scope -> Stream.of(CrashTarget.HOLDER, CrashTarget.COORDINATOR)
                        .forEach(crashTarget ->
                                scopes.add(scope.withCrashTarget(crashTarget, NodeSet.of(new NodeId(1))))));
    }

    private static Property[] checked(Algorithm algorithm) {
        return Property.of(algorithm.problem()).stream()
                .filter(property -> property != Property.HAPPENED_BEFORE_ORDER)
                .filter(property -> property != Property.BOUNDED_WAITING)
                .toArray(Property[]::new);
    }

    @Test
    void random_protocols_get_the_same_verdicts() {
        for (int seed = 0; seed < 300; seed++) {
            var random = new SplittableRandom(seed);
            var scopes = scopes(Scope.of(Topology.complete(2 + random.nextInt(2))));
            addCrashTargets(scopes);
            var scope = scopes.get(random.nextInt(scopes.size())).withRequestsPerNode(1 + random.nextInt(2));
            hasSameVerdicts(
                    new RandomProtocol(seed),
                    scope,
                    Property.MUTUAL_EXCLUSION,
                    Property.DEADLOCK_FREEDOM,
                    Property.NO_STARVATION);
        }
    }

    /**
     * Whether the scope is small enough to be compared. A reduced search visits all quiescent states; it reports that
     * it does not check endless runs.
     */
    private static boolean hasSameVerdicts(Protocol<?, ?> protocol, Scope scope, Property... checked) {
        var whole = ModelChecker.check(protocol, scope.withOptions(SMALL), checked);
        if (whole.states() >= SMALL.limits().maxStates()) {
            return false;
        }
        var byOrder = ModelChecker.check(protocol, scope.withOptions(SMALL.withOrderReduction()), checked);
        assertThat(byOrder.quiescent()).as("%s %s", protocol, scope).isEqualTo(whole.quiescent());
        var bySymmetry = ModelChecker.check(protocol, scope.withOptions(SMALL.withSymmetryReduction()), checked);
        var all = new ArrayList<>(List.of(byOrder, bySymmetry));
        if (!byOrder.reductions().isEmpty() && !bySymmetry.reductions().isEmpty()) { // else it equals one of these
            var both = SMALL.withOrderReduction().withSymmetryReduction();
            all.add(ModelChecker.check(protocol, scope.withOptions(both), checked));
        }
        for (CheckReport reduced : all) {
            var endless = reduced.limitsReached().stream().anyMatch(limit -> limit.startsWith("endless runs"));
            assertThat(reduced.findings()).zipSatisfy(whole.findings(), (one, other) -> {
                if (!endless || one.verdict() != Verdict.OPEN) {
                    assertThat(verdict(one)).as("%s %s", protocol, scope).isEqualTo(verdict(other));
                }
            });
            assertThat(reduced.states()).isLessThanOrEqualTo(whole.states());
        }
        return true;
    }

    private static List<String> verdicts(CheckReport checkReport) {
        return checkReport.findings().stream().map(ReductionTest::verdict).toList();
    }

    private static String verdict(CheckReport.Finding finding) {
        return finding.name() + " " + finding.verdict() + " " + length(finding);
    }

    private static long length(CheckReport.Finding finding) {
        return finding.trace().isEmpty() ? 0 : finding.trace().getLast().at();
    }

    @Test
    void order_reduction_leaves_a_fifth_of_the_states_of_ricart_and_agrawala_on_four_nodes() {
        var scope = Scope.of(Topology.complete(4)).withUnorderedLinks();
        var checked = checked(Catalogue.find("ricart-agrawala").orElseThrow());
        var whole = ModelChecker.check(PUBLISHED, scope, checked);
        var reduced = ModelChecker.check(
                PUBLISHED, scope.withOptions(CheckOptions.defaults().withOrderReduction()), checked);
        assertThat(reduced.reductions()).containsExactly("order");
        assertThat(reduced.findings()).allMatch(finding -> finding.verdict() == Verdict.HOLDS);
        assertThat(verdicts(reduced)).isEqualTo(verdicts(whole));
        assertThat(5 * reduced.states()).isLessThan(whole.states());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void the_number_of_threads_changes_no_result(int threads) {
        var checkOptions = CheckOptions.defaults().withOrderReduction().withThreads(threads);
        var scope = Scope.of(Topology.complete(3)).withUnorderedLinks().withOptions(checkOptions);
        var checkReport = ModelChecker.check(new RicartAgrawalaByPriority(), scope, Property.MUTUAL_EXCLUSION);
        assertThat(checkReport.quiescent()).isEqualTo(18);
        assertThat(checkReport
                        .find("mutual-exclusion")
                        .orElseThrow()
                        .trace()
                        .getLast()
                        .at())
                .isEqualTo(10);
    }

    @Test
    void a_message_that_does_not_commute_with_a_request_is_not_delivered_eagerly() {
        var scope = Scope.of(Topology.complete(2)).withOptions(SMALL.withOrderReduction());
        var checkReport = ModelChecker.check(new UnsafeIfDelayed(false), scope, Property.MUTUAL_EXCLUSION);
        assertThat(checkReport.verdict(Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void a_message_that_does_not_commute_with_another_is_not_delivered_eagerly() {
        var scope = Scope.of(Topology.complete(3)).withOptions(SMALL.withOrderReduction());
        var checkReport = ModelChecker.check(new UnsafeIfDelayed(true), scope, Property.MUTUAL_EXCLUSION);
        assertThat(checkReport.verdict(Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void a_message_whose_order_does_not_matter_is_delivered_eagerly() {
        var scope = Scope.of(Topology.complete(2)).withRequests(NodeSet.of(new NodeId(2)), 1);
        var whole = ModelChecker.check(new UnsafeIfDelayed(false), scope, Property.MUTUAL_EXCLUSION);
        var reduced = ModelChecker.check(
                new UnsafeIfDelayed(false), scope.withOptions(SMALL.withOrderReduction()), Property.MUTUAL_EXCLUSION);
        assertThat(whole.states()).isEqualTo(5);
        assertThat(reduced.states()).isEqualTo(3);
    }

    @Test
    void happened_before_order_is_checked_without_order_reduction() {
        var scope = Scope.of(Topology.complete(2)).withOptions(SMALL.withOrderReduction());
        var checkReport = ModelChecker.check(PUBLISHED, scope, Property.HAPPENED_BEFORE_ORDER);
        assertThat(checkReport.reductions()).isEmpty();
        assertThat(checkReport.states())
                .isEqualTo(ModelChecker.check(PUBLISHED, scope.withOptions(SMALL), Property.HAPPENED_BEFORE_ORDER)
                        .states());
    }

    @Test
    void a_run_that_may_not_be_shortest_is_marked() {
        var scope = Scope.of(Topology.complete(3)).withUnorderedLinks();
        var checkOptions = CheckOptions.defaults().withOrderReduction().withMaxStates(1_500);
        var checkReport = ModelChecker.check(
                new RicartAgrawalaByPriority(), scope.withOptions(checkOptions), Property.MUTUAL_EXCLUSION);
        var finding = checkReport.find("mutual-exclusion").orElseThrow();
        assertThat(finding.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(finding.description()).endsWith("(there may be a shorter run)");
        assertThat(finding.trace().getLast().at()).isGreaterThanOrEqualTo(10);
    }

    @Test
    void indistinguishable_clients_are_reduced_by_symmetry() {
        var clients = NodeSet.of(new NodeId(2), new NodeId(3), new NodeId(4));
        var scope = Scope.of(Topology.complete(4)).withRequests(clients, 2);
        var whole = ModelChecker.check(new QueueCoordinator(false), scope, Property.MUTUAL_EXCLUSION);
        var reduced = ModelChecker.check(
                new QueueCoordinator(false),
                scope.withOptions(SMALL.withSymmetryReduction()),
                Property.MUTUAL_EXCLUSION);
        assertThat(reduced.reductions()).containsExactly("symmetry");
        assertThat(reduced.verdict(Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
        assertThat(4 * reduced.states()).isLessThan(whole.states());
    }

    @Test
    void happened_before_order_is_checked_with_symmetry_reduction() {
        var scope = Scope.of(Topology.complete(3)).withOptions(SMALL.withSymmetryReduction());
        var checkReport = ModelChecker.check(new QueueCoordinator(false), scope, Property.HAPPENED_BEFORE_ORDER);
        assertThat(checkReport.reductions()).containsExactly("symmetry");
        assertThat(checkReport.verdict(Property.HAPPENED_BEFORE_ORDER)).isEqualTo(Verdict.HOLDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ricart-agrawala", "lamport", "chang-roberts", "bully"})
    void algorithms_that_compare_ids_are_not_reduced_by_symmetry(String name) {
        var algorithm = Catalogue.find(name).orElseThrow();
        var topology = algorithm.shape() == Topology.Shape.RING ? Topology.ring(2) : Topology.complete(2);
        var scope = Scope.of(topology).withMaxTimeouts(1).withOptions(SMALL.withSymmetryReduction());
        var checkReport =
                ModelChecker.check(algorithm.create(AlgorithmParameters.defaults()), scope, checked(algorithm));
        assertThat(checkReport.isComplete()).isTrue();
        assertThat(checkReport.reductions()).isEmpty();
    }

    @Test
    void the_allowed_permutations_form_a_group() {
        var three = NodePermutation.all(Topology.complete(3).nodes());
        assertThat(PermutationGroup.largestWithin(three)).hasSize(6);
        var allowed =
                three.stream().filter(permutation -> permutation.node(0) != 1).toList();
        assertThat(PermutationGroup.largestWithin(allowed)).hasSize(2).allMatch(allowed::contains);
    }
}
