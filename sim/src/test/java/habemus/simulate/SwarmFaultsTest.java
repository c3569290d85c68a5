package habemus.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.FaultKind;
import habemus.world.Micros;
import habemus.world.NetworkModel;
import habemus.world.Topology;
import habemus.world.World;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SwarmFaultsTest {

    private static final World FAULTLESS = World.of(Topology.complete(5));
    private static final Set<FaultKind> ALL = EnumSet.allOf(FaultKind.class);
    private static final Duration FAULT_PERIOD = Micros.toDuration(SwarmFaults.FAULT_PERIOD_MICROS);
    private static final int SEEDS = 300;

    private static Stream<World> worlds(Set<FaultKind> allowed) {
        return LongStream.range(0, SEEDS).mapToObj(seed -> SwarmFaults.inject(FAULTLESS, allowed, seed));
    }

    private static <F extends Fault> Stream<F> faults(World world, Class<F> kind) {
        return world.faults().stream()
                .map(Fault.PlannedFault::fault)
                .filter(kind::isInstance)
                .map(kind::cast);
    }

    @Test
    void a_seed_always_gives_the_same_world() {
        for (long seed = 0; seed < SEEDS; seed++) {
            var world = SwarmFaults.inject(FAULTLESS, ALL, seed);
            var again = SwarmFaults.inject(FAULTLESS, Set.copyOf(ALL), seed);
            assertThat(world.faults()).isEqualTo(again.faults());
            assertThat(world.network()).isEqualTo(again.network());
            assertThat(world.topology().nodes()).isEqualTo(again.topology().nodes());
        }
    }

    @Test
    void different_seeds_give_different_worlds() {
        assertThat(worlds(ALL).map(World::faults).distinct()).hasSizeGreaterThan(SEEDS * 95 / 100);
    }

    @ParameterizedTest
    @EnumSource
    void only_allowed_fault_kinds_occur(FaultKind kind) {
        var expected = EnumSet.of(kind);
        if (kind == FaultKind.RESTART || kind == FaultKind.AMNESIA) {
            expected.add(FaultKind.CRASH); // before a restart
        }
        if (kind == FaultKind.TAIL_LOSS) {
            expected.addAll(EnumSet.of(FaultKind.CRASH, FaultKind.RESTART)); // around the loss
        }
        assertThat(worlds(EnumSet.of(kind)))
                .allSatisfy(world -> assertThat(expected).containsAll(FaultKind.of(world)));
    }

    @ParameterizedTest
    @EnumSource
    void about_half_of_the_seeds_select_a_fault_kind(FaultKind kind) {
        var allowed = EnumSet.complementOf(EnumSet.of(FaultKind.CRASH)); // which restarts imply
        if (kind == FaultKind.CRASH || kind == FaultKind.RESTART) {
            allowed = EnumSet.of(kind); // a loss of entries implies both
        }
        assertThat(worlds(allowed).filter(world -> FaultKind.of(world).contains(kind)))
                .hasSizeBetween(SEEDS * 4 / 10, SEEDS * 6 / 10);
    }

    @Test
    void some_seeds_select_few_fault_kinds_and_some_nearly_all() {
        assertThat(worlds(ALL).map(FaultKind::of).map(Set::size)).contains(3, 4, 8, 11);
    }

    @Test
    void without_allowed_fault_kinds_only_the_heal_is_added() {
        var heal = new Fault.PlannedFault(FAULT_PERIOD, new Fault.Heal());
        assertThat(worlds(Set.of())).allMatch(world -> world.equals(FAULTLESS.withFaults(List.of(heal))));
    }

    @Test
    void the_heal_is_the_last_fault() {
        assertThat(worlds(ALL)).allSatisfy(world -> {
            assertThat(world.faults().getLast()).isEqualTo(new Fault.PlannedFault(FAULT_PERIOD, new Fault.Heal()));
            assertThat(world.faults()).isSortedAccordingTo(Comparator.comparing(Fault.PlannedFault::at));
            assertThat(world.faults().getFirst().at()).isGreaterThanOrEqualTo(Duration.ZERO);
        });
    }

    @Test
    void a_temporary_fault_ends_after_it_begins() {
        assertThat(worlds(Set.of(FaultKind.PAUSE))).allSatisfy(world -> {
            var paused = NodeSet.NONE;
            for (var plannedFault : world.faults()) {
                switch (plannedFault.fault()) {
                    case Fault.Pause(var node) -> paused = paused.with(node);
                    case Fault.Resume(var node) -> paused = paused.without(node);
                    default -> {}
                }
            }
            assertThat(paused).isEqualTo(NodeSet.NONE);
        });
        assertThat(worlds(Set.of(FaultKind.PARTITION)))
                .allSatisfy(
                        world -> assertThat(faults(world, Fault.HealCut.class).map(Fault.HealCut::cut))
                                .containsExactlyInAnyOrderElementsOf(
                                        faults(world, Fault.Cut.class).toList()));
    }

    @Test
    void a_restarting_node_is_up_before_the_heal() {
        assertThat(worlds(Set.of(FaultKind.RESTART, FaultKind.AMNESIA))).allSatisfy(world -> {
            var down = NodeSet.NONE;
            for (var plannedFault : world.faults()) {
                switch (plannedFault.fault()) {
                    case Fault.Crash(var node) -> down = down.with(node);
                    case Fault.Restart(var node, var amnesia) -> down = down.without(node);
                    default -> {}
                }
            }
            assertThat(down).isEqualTo(NodeSet.NONE);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void one_node_always_survives(int size) {
        var world = World.of(Topology.complete(size));
        for (long seed = 0; seed < SEEDS; seed++) {
            var crashed = NodeSet.of(faults(SwarmFaults.inject(world, Set.of(FaultKind.CRASH), seed), Fault.Crash.class)
                    .map(Fault.Crash::node)
                    .toList());
            assertThat(crashed.size()).isLessThan(size);
        }
    }

    @Test
    void faults_affect_all_nodes_and_all_links() {
        var crashed =
                worlds(ALL).flatMap(world -> faults(world, Fault.Crash.class)).map(Fault.Crash::node);
        assertThat(NodeSet.of(crashed.toList()))
                .isEqualTo(NodeSet.of(FAULTLESS.topology().nodes()));
        var wrong = worlds(ALL)
                .flatMap(world -> faults(world, Fault.WrongSuspicion.class))
                .distinct();
        assertThat(wrong)
                .hasSize(5 * 4)
                .noneMatch(wrongSuspicion -> wrongSuspicion.node().equals(wrongSuspicion.peer()));
        var slow = worlds(ALL).flatMap(world -> faults(world, Fault.Slow.class)).toList();
        assertThat(slow.stream().map(s -> List.of(s.from(), s.to())).distinct()).hasSize(5 * 4);
        assertThat(slow).allMatch(s -> s.factor() >= 1);
    }

    @Test
    void a_cut_is_one_way_or_two_way_and_separates_all_nodes_into_two_sides() {
        var cuts = worlds(ALL).flatMap(world -> faults(world, Fault.Cut.class)).toList();
        assertThat(cuts.stream().map(Fault.Cut::bothWays)).contains(true, false);
        assertThat(cuts).allSatisfy(cut -> {
            assertThat(cut.from().intersection(cut.to())).isEqualTo(NodeSet.NONE);
            assertThat(cut.from().with(cut.to()))
                    .isEqualTo(NodeSet.of(FAULTLESS.topology().nodes()));
        });
    }

    @Test
    void the_faults_and_the_network_of_the_given_world_are_kept() {
        var early = new Fault.PlannedFault(Duration.ofMillis(5), new Fault.Crash(new NodeId(2)));
        var late = new Fault.PlannedFault(Duration.ofSeconds(9), new Fault.Crash(new NodeId(3)));
        var world = FAULTLESS.withNetwork(NetworkModel.BAG.withLoss(0.01)).withFaults(List.of(early, late));
        var injected = SwarmFaults.inject(world, Set.of(FaultKind.PAUSE), 1);
        assertThat(injected.faults()).contains(early).endsWith(late);
        assertThat(injected.network()).isEqualTo(world.network());
        assertThat(injected.workload()).isEqualTo(world.workload());
    }

    @Test
    void the_limits_leave_time_to_converge() {
        assertThat(SwarmFaults.limits().expectsConvergence()).isTrue();
        assertThat(SwarmFaults.limits().maxTime())
                .isEqualTo(Micros.toDuration(SwarmFaults.FAULT_PERIOD_MICROS + SwarmFaults.SETTLE_PERIOD_MICROS));
    }
}
