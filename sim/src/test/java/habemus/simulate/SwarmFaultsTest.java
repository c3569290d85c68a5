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

    private static final World KIND = World.of(Topology.complete(5));
    private static final Set<FaultKind> ALL = EnumSet.allOf(FaultKind.class);
    private static final Duration TROUBLE = Micros.toDuration(SwarmFaults.FAULT_PERIOD_MICROS);
    private static final int SEEDS = 300;

    private static Stream<World> worlds(Set<FaultKind> allowed) {
        return LongStream.range(0, SEEDS).mapToObj(seed -> SwarmFaults.inject(KIND, allowed, seed));
    }

    private static <F extends Fault> Stream<F> faults(World world, Class<F> kind) {
        return world.faults().stream()
                .map(Fault.PlannedFault::fault)
                .filter(kind::isInstance)
                .map(kind::cast);
    }

    @Test
    void a_seed_is_always_the_same_world() {
        for (long seed = 0; seed < SEEDS; seed++) {
            assertThat(SwarmFaults.inject(KIND, ALL, seed)).isEqualTo(SwarmFaults.inject(KIND, Set.copyOf(ALL), seed));
        }
    }

    @Test
    void different_seeds_are_different_worlds() {
        assertThat(worlds(ALL).map(World::faults).distinct()).hasSizeGreaterThan(SEEDS * 95 / 100);
    }

    @ParameterizedTest
    @EnumSource
    void only_what_is_allowed_goes_wrong(FaultKind faultKind) {
        var mayMeet = EnumSet.of(faultKind);
        if (faultKind == FaultKind.RESTART || faultKind == FaultKind.AMNESIA) {
            mayMeet.add(FaultKind.CRASH); // who comes back was down
        }
        assertThat(worlds(EnumSet.of(faultKind)))
                .allSatisfy(world -> assertThat(mayMeet).containsAll(FaultKind.of(world)));
    }

    @ParameterizedTest
    @EnumSource
    void about_every_second_seed_meets_a_hazard(FaultKind faultKind) {
        var others = EnumSet.complementOf(EnumSet.of(FaultKind.CRASH)); // which restarts bring with them
        var allowed = faultKind == FaultKind.CRASH ? EnumSet.of(faultKind) : others;
        assertThat(worlds(allowed).filter(world -> FaultKind.of(world).contains(faultKind)))
                .hasSizeBetween(SEEDS * 4 / 10, SEEDS * 6 / 10);
    }

    @Test
    void some_seeds_meet_nothing_but_one_hazard_and_some_very_many() {
        assertThat(worlds(ALL).map(FaultKind::of).map(Set::size)).contains(1, 2, 3, 8, 9);
    }

    @Test
    void nothing_allowed_is_a_kind_world_that_is_healed() {
        var heal = new Fault.PlannedFault(TROUBLE, new Fault.Heal());
        assertThat(worlds(Set.of())).allMatch(world -> world.equals(KIND.withFaults(List.of(heal))));
    }

    @Test
    void everything_is_healed_in_the_end_and_nothing_goes_wrong_afterwards() {
        assertThat(worlds(ALL)).allSatisfy(world -> {
            assertThat(world.faults().getLast()).isEqualTo(new Fault.PlannedFault(TROUBLE, new Fault.Heal()));
            assertThat(world.faults()).isSortedAccordingTo(Comparator.comparing(Fault.PlannedFault::at));
            assertThat(world.faults().getFirst().at()).isGreaterThanOrEqualTo(Duration.ZERO);
        });
    }

    @Test
    void what_comes_to_an_end_ends_after_it_began() {
        assertThat(worlds(Set.of(FaultKind.PAUSE))).allSatisfy(world -> {
            var standing = NodeSet.NONE;
            for (var plannedFault : world.faults()) {
                switch (plannedFault.fault()) {
                    case Fault.Pause(var node) -> standing = standing.with(node);
                    case Fault.Resume(var node) -> standing = standing.without(node);
                    default -> {}
                }
            }
            assertThat(standing).isEqualTo(NodeSet.NONE);
        });
        assertThat(worlds(Set.of(FaultKind.PARTITION)))
                .allSatisfy(
                        world -> assertThat(faults(world, Fault.HealCut.class).map(Fault.HealCut::cut))
                                .containsExactlyInAnyOrderElementsOf(
                                        faults(world, Fault.Cut.class).toList()));
    }

    @Test
    void who_restarts_is_up_again_before_everything_is_healed() {
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
    void all_nodes_and_all_links_have_their_turn() {
        var crashed =
                worlds(ALL).flatMap(world -> faults(world, Fault.Crash.class)).map(Fault.Crash::node);
        assertThat(NodeSet.of(crashed.toList()))
                .isEqualTo(NodeSet.of(KIND.topology().nodes()));
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
    void cuts_go_both_ways_or_one_way_and_part_all_nodes_into_two_sides() {
        var cuts = worlds(ALL).flatMap(world -> faults(world, Fault.Cut.class)).toList();
        assertThat(cuts.stream().map(Fault.Cut::bothWays)).contains(true, false);
        assertThat(cuts).allSatisfy(cut -> {
            assertThat(cut.from().intersection(cut.to())).isEqualTo(NodeSet.NONE);
            assertThat(cut.from().with(cut.to()))
                    .isEqualTo(NodeSet.of(KIND.topology().nodes()));
        });
    }

    @Test
    void the_faults_and_the_network_that_were_there_stay() {
        var mine = new Fault.PlannedFault(Duration.ofMillis(5), new Fault.Crash(new NodeId(2)));
        var late = new Fault.PlannedFault(Duration.ofSeconds(9), new Fault.Crash(new NodeId(3)));
        var world = KIND.withNetwork(NetworkModel.BAG.withLoss(0.01)).withFaults(List.of(mine, late));
        var struck = SwarmFaults.inject(world, Set.of(FaultKind.PAUSE), 1);
        assertThat(struck.faults()).contains(mine).endsWith(late);
        assertThat(struck.networkModel()).isEqualTo(world.networkModel());
        assertThat(struck.workload()).isEqualTo(world.workload());
    }

    @Test
    void such_a_run_has_time_to_settle() {
        assertThat(SwarmFaults.limits().expectsConvergence()).isTrue();
        assertThat(SwarmFaults.limits().maxTime())
                .isEqualTo(Micros.toDuration(SwarmFaults.FAULT_PERIOD_MICROS + SwarmFaults.SETTLE_PERIOD_MICROS));
    }
}
