package habemus.world;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HazardTest {

    private static final NodeId N1 = new NodeId(1);
    private static final NodeId N2 = new NodeId(2);
    private static final Fault.Cut CUT = new Fault.Cut(NodeSet.of(N1), NodeSet.of(N2), true);
    private static final World KIND = World.of(Topology.complete(2));

    private static World struckBy(Fault... faults) {
        return KIND.struckBy(Stream.of(faults)
                .map(fault -> new Fault.Planned(Duration.ZERO, fault))
                .toList());
    }

    @Test
    void a_kind_world_has_none() {
        assertThat(Hazard.of(KIND)).isEmpty();
    }

    @Test
    void a_network_has_those_that_it_may_do() {
        assertThat(Hazard.of(KIND.over(Network.BAG))).containsExactly(Hazard.REORDER);
        assertThat(Hazard.of(KIND.over(Network.DUPLICATING))).containsExactly(Hazard.REORDER, Hazard.DUPLICATION);
        assertThat(Hazard.of(KIND.over(Network.LOSSY))).containsExactly(Hazard.REORDER, Hazard.LOSS);
        assertThat(Hazard.of(KIND.over(Network.FIFO.losing(0.1)))).containsExactly(Hazard.LOSS);
        assertThat(Hazard.of(KIND.over(Network.FIFO.duplicating(0.1)))).containsExactly(Hazard.DUPLICATION);
    }

    static List<Arguments> faults() {
        return List.of(
                Arguments.of(new Fault.Crash(N1), Hazard.CRASH),
                Arguments.of(new Fault.Restart(N1, false), Hazard.RESTART),
                Arguments.of(new Fault.Restart(N1, true), Hazard.AMNESIA),
                Arguments.of(new Fault.Pause(N1), Hazard.PAUSE),
                Arguments.of(CUT, Hazard.PARTITION),
                Arguments.of(new Fault.Slow(N1, N2, 10), Hazard.SLOWNESS),
                Arguments.of(new Fault.Mistake(N1, N2), Hazard.MISTAKE));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void each_fault_is_of_one(Fault fault, Hazard hazard) {
        assertThat(Hazard.of(struckBy(fault))).containsExactly(hazard);
    }

    @Test
    void what_mends_is_none() {
        assertThat(Hazard.of(struckBy(
                        new Fault.Resume(N1), new Fault.Mend(CUT), new Fault.Correct(N1, N2), new Fault.Heal())))
                .isEmpty();
    }

    @Test
    void a_world_has_all_those_of_its_network_and_of_its_faults() {
        var world = struckBy(
                        faults().stream().map(pair -> (Fault) pair.get()[0]).toArray(Fault[]::new))
                .over(new Network(false, 0.1, 0.1));
        assertThat(Hazard.of(world)).isEqualTo(EnumSet.allOf(Hazard.class));
    }

    @Test
    void each_says_what_it_is_in_words() {
        var sentences = Stream.of(Hazard.values()).map(Hazard::sentence).toList();
        assertThat(Set.copyOf(sentences)).hasSameSizeAs(Hazard.values()).doesNotContain("");
        assertThat(Hazard.AMNESIA).hasToString("amnesia");
    }
}
