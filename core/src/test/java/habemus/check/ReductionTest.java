package habemus.check;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.catalogue.Setting;
import habemus.mutex.RicartAgrawala;
import habemus.mutex.RicartAgrawalaByPriority;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.world.Hazard;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A search that is reduced, by order or by symmetry, says the same as one that is not. */
class ReductionTest {

    private static final RicartAgrawala PUBLISHED = new RicartAgrawala(false, List.of());
    private static final Effort SMALL = Effort.ample().states(6_000);
    private static final int FEW = 5; // worlds of an algorithm must be small enough to be compared

    static Stream<Algorithm> algorithms() {
        return Catalogue.ALL.stream();
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void every_algorithm_is_judged_alike_in_every_small_world(Algorithm algorithm) {
        int compared = 0;
        for (int nodes = 2; nodes <= 3; nodes++) {
            boolean ring = algorithm.shape() == Topology.Shape.RING;
            var topology = ring ? Topology.ring(nodes) : Topology.complete(nodes);
            var protocol = algorithm.make(Setting.standard().among(nodes));
            var worlds = worlds(Scope.of(topology).ringing(2));
            if (algorithm.problem() != Problem.DETECTOR) {
                addVictims(worlds);
            }
            for (Scope scope : worlds) {
                compared += isJudgedAlike(protocol, scope, judged(algorithm)) ? 1 : 0;
            }
        }
        assertThat(compared).isGreaterThanOrEqualTo(FEW);
    }

    private static List<Scope> worlds(Scope kind) {
        var worlds = new ArrayList<Scope>();
        for (Scope scope : List.of(
                kind, kind.unordered(), kind.synchronous(), kind.unordered().cutting())) {
            worlds.add(scope);
            worlds.add(scope.allowing(Hazard.LOSS, 1));
            worlds.add(scope.allowing(Hazard.DUPLICATION, 1));
            worlds.add(scope.allowing(Hazard.CRASH, 1));
            worlds.add(scope.allowing(Hazard.CRASH, 1).allowing(Hazard.RESTART, 1));
            worlds.add(scope.allowing(Hazard.CRASH, 1).allowing(Hazard.AMNESIA, 1));
        }
        worlds.add(kind.synchronous().allowing(Hazard.PAUSE, 1));
        worlds.add(kind.synchronous().unordered().allowing(Hazard.PAUSE, 1));
        return worlds;
    }

    private static void addVictims(List<Scope> worlds) {
        worlds.stream()
                .filter(scope ->
                        scope.often(Hazard.CRASH) > 0 && scope.hazards().size() == 1)
                .toList()
                .forEach(scope -> Stream.of(Victim.HOLDER, Victim.COORDINATOR)
                        .forEach(victim -> worlds.add(scope.striking(victim, NodeSet.of(new NodeId(1))))));
    }

    private static Property[] judged(Algorithm algorithm) {
        return Property.of(algorithm.problem()).stream()
                .filter(property -> property != Property.HAPPENED_BEFORE_ORDER)
                .filter(property -> property != Property.BOUNDED_WAITING)
                .toArray(Property[]::new);
    }

    @Test
    void machines_without_sense_are_judged_alike() {
        for (int seed = 0; seed < 300; seed++) {
            var random = new SplittableRandom(seed);
            var worlds = worlds(Scope.of(Topology.complete(2 + random.nextInt(2))));
            addVictims(worlds);
            var scope = worlds.get(random.nextInt(worlds.size())).entering(1 + random.nextInt(2));
            isJudgedAlike(
                    new RandomMachine(seed),
                    scope,
                    Property.MUTUAL_EXCLUSION,
                    Property.DEADLOCK_FREEDOM,
                    Property.NO_STARVATION);
        }
    }

    /**
     * Whether it was compared, because it is small enough. States at rest are all met, whatever is reduced; of runs
     * without end a reduced search says that it does not tell.
     */
    private static boolean isJudgedAlike(Protocol<?, ?> protocol, Scope scope, Property... judged) {
        var whole = Checker.check(protocol, scope.spending(SMALL), judged);
        if (whole.states() >= SMALL.states()) {
            return false;
        }
        var byOrder = Checker.check(protocol, scope.spending(SMALL.reducingOrder()), judged);
        assertThat(byOrder.atRest()).as("%s %s", protocol, scope).isEqualTo(whole.atRest());
        var bySymmetry = Checker.check(protocol, scope.spending(SMALL.reducingSymmetry()), judged);
        var all = new ArrayList<>(List.of(byOrder, bySymmetry));
        if (!byOrder.reductions().isEmpty() && !bySymmetry.reductions().isEmpty()) { // else it is one of these again
            var both = SMALL.reducingOrder().reducingSymmetry();
            all.add(Checker.check(protocol, scope.spending(both), judged));
        }
        for (Report reduced : all) {
            var endless = reduced.bounded().stream().anyMatch(what -> what.startsWith("endless runs"));
            assertThat(reduced.findings()).zipSatisfy(whole.findings(), (one, other) -> {
                if (!endless || one.verdict() != Verdict.OPEN) {
                    assertThat(verdict(one)).as("%s %s", protocol, scope).isEqualTo(verdict(other));
                }
            });
            assertThat(reduced.states()).isLessThanOrEqualTo(whole.states());
        }
        return true;
    }

    private static List<String> verdicts(Report report) {
        return report.findings().stream().map(ReductionTest::verdict).toList();
    }

    private static String verdict(Report.Finding finding) {
        return finding.name() + " " + finding.verdict() + " " + length(finding);
    }

    private static long length(Report.Finding finding) {
        return finding.run().isEmpty() ? 0 : finding.run().getLast().at();
    }

    @Test
    void ricart_and_agrawala_on_four_nodes_has_a_fifth_of_the_states_or_less() {
        var scope = Scope.of(Topology.complete(4)).unordered();
        var judged = judged(Catalogue.find("ricart-agrawala").orElseThrow());
        var whole = Checker.check(PUBLISHED, scope, judged);
        var reduced = Checker.check(PUBLISHED, scope.spending(Effort.ample().reducingOrder()), judged);
        assertThat(reduced.reductions()).containsExactly("order");
        assertThat(reduced.findings()).allMatch(finding -> finding.verdict() == Verdict.HOLDS);
        assertThat(verdicts(reduced)).isEqualTo(verdicts(whole));
        assertThat(5 * reduced.states()).isLessThan(whole.states());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void the_number_of_threads_changes_nothing_that_is_found(int threads) {
        var effort = Effort.ample().reducingOrder().threads(threads);
        var scope = Scope.of(Topology.complete(3)).unordered().spending(effort);
        var report = Checker.check(new RicartAgrawalaByPriority(), scope, Property.MUTUAL_EXCLUSION);
        assertThat(report.atRest()).isEqualTo(18);
        assertThat(report.find("mutual-exclusion").orElseThrow().run().getLast().at())
                .isEqualTo(10);
    }

    @Test
    void a_letter_that_does_not_commute_with_asking_may_not_hurry() {
        var scope = Scope.of(Topology.complete(2)).spending(SMALL.reducingOrder());
        var report = Checker.check(new Trap(false), scope, Property.MUTUAL_EXCLUSION);
        assertThat(report.verdict(Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void a_letter_that_does_not_commute_with_another_may_not_hurry() {
        var scope = Scope.of(Topology.complete(3)).spending(SMALL.reducingOrder());
        var report = Checker.check(new Trap(true), scope, Property.MUTUAL_EXCLUSION);
        assertThat(report.verdict(Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void a_letter_that_comes_too_late_to_matter_hurries() {
        var scope = Scope.of(Topology.complete(2)).calling(NodeSet.of(new NodeId(2)), 1);
        var whole = Checker.check(new Trap(false), scope, Property.MUTUAL_EXCLUSION);
        var reduced = Checker.check(new Trap(false), scope.spending(SMALL.reducingOrder()), Property.MUTUAL_EXCLUSION);
        assertThat(whole.states()).isEqualTo(5);
        assertThat(reduced.states()).isEqualTo(3);
    }

    @Test
    void happened_before_order_is_judged_without_reduction() {
        var scope = Scope.of(Topology.complete(2)).spending(SMALL.reducingOrder());
        var report = Checker.check(PUBLISHED, scope, Property.HAPPENED_BEFORE_ORDER);
        assertThat(report.reductions()).isEmpty();
        assertThat(report.states())
                .isEqualTo(Checker.check(PUBLISHED, scope.spending(SMALL), Property.HAPPENED_BEFORE_ORDER)
                        .states());
    }

    @Test
    void a_run_that_may_not_be_the_shortest_says_so() {
        var scope = Scope.of(Topology.complete(3)).unordered();
        var effort = Effort.ample().reducingOrder().states(1_500);
        var report = Checker.check(new RicartAgrawalaByPriority(), scope.spending(effort), Property.MUTUAL_EXCLUSION);
        var finding = report.find("mutual-exclusion").orElseThrow();
        assertThat(finding.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(finding.words()).endsWith("(there may be a shorter run)");
        assertThat(finding.run().getLast().at()).isGreaterThanOrEqualTo(10);
    }

    @Test
    void clients_that_nobody_tells_apart_are_interchangeable() {
        var clients = NodeSet.of(new NodeId(2), new NodeId(3), new NodeId(4));
        var scope = Scope.of(Topology.complete(4)).calling(clients, 2);
        var whole = Checker.check(new Central(false), scope, Property.MUTUAL_EXCLUSION);
        var reduced =
                Checker.check(new Central(false), scope.spending(SMALL.reducingSymmetry()), Property.MUTUAL_EXCLUSION);
        assertThat(reduced.reductions()).containsExactly("symmetry");
        assertThat(reduced.verdict(Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
        assertThat(4 * reduced.states()).isLessThan(whole.states());
    }

    @Test
    void happened_before_order_does_not_mind_renaming() {
        var scope = Scope.of(Topology.complete(3)).spending(SMALL.reducingSymmetry());
        var report = Checker.check(new Central(false), scope, Property.HAPPENED_BEFORE_ORDER);
        assertThat(report.reductions()).containsExactly("symmetry");
        assertThat(report.verdict(Property.HAPPENED_BEFORE_ORDER)).isEqualTo(Verdict.HOLDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ricart-agrawala", "lamport", "chang-roberts", "bully"})
    void algorithms_that_compare_names_are_not_reduced_by_symmetry(String name) {
        var algorithm = Catalogue.find(name).orElseThrow();
        var topology = algorithm.shape() == Topology.Shape.RING ? Topology.ring(2) : Topology.complete(2);
        var scope = Scope.of(topology).ringing(1).spending(SMALL.reducingSymmetry());
        var report = Checker.check(algorithm.make(Setting.standard()), scope, judged(algorithm));
        assertThat(report.complete()).isTrue();
        assertThat(report.reductions()).isEmpty();
    }

    @Test
    void renamings_make_a_group() {
        var three = Renaming.all(Topology.complete(3).nodes());
        assertThat(Group.among(three)).hasSize(6);
        var turns = three.stream().filter(each -> each.node(0) != 1).toList();
        assertThat(Group.among(turns)).hasSize(2).allMatch(turns::contains);
    }
}
