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

class FaultKindTest {

    private static final NodeId N1 = new NodeId(1);
    private static final NodeId N2 = new NodeId(2);
    private static final Fault.Cut CUT = new Fault.Cut(NodeSet.of(N1), NodeSet.of(N2), true);
    private static final World FAULTLESS = World.of(Topology.complete(2));

    private static World withFaults(Fault... faults) {
        return FAULTLESS.withFaults(Stream.of(faults)
                .map(fault -> new Fault.PlannedFault(Duration.ZERO, fault))
                .toList());
    }

    @Test
    void a_world_without_faults_has_no_fault_kinds() {
        assertThat(FaultKind.of(FAULTLESS)).isEmpty();
    }

    @Test
    void a_network_has_the_fault_kinds_of_its_model() {
        assertThat(FaultKind.of(FAULTLESS.withNetwork(NetworkModel.BAG))).containsExactly(FaultKind.REORDER);
        assertThat(FaultKind.of(FAULTLESS.withNetwork(NetworkModel.DUPLICATING)))
                .containsExactly(FaultKind.REORDER, FaultKind.DUPLICATION);
        assertThat(FaultKind.of(FAULTLESS.withNetwork(NetworkModel.LOSSY)))
                .containsExactly(FaultKind.REORDER, FaultKind.LOSS);
        assertThat(FaultKind.of(FAULTLESS.withNetwork(NetworkModel.FIFO.withLoss(0.1))))
                .containsExactly(FaultKind.LOSS);
        assertThat(FaultKind.of(FAULTLESS.withNetwork(NetworkModel.FIFO.withDuplication(0.1))))
                .containsExactly(FaultKind.DUPLICATION);
    }

    static List<Arguments> faults() {
        return List.of(
                Arguments.of(new Fault.Crash(N1), FaultKind.CRASH),
                Arguments.of(new Fault.Restart(N1, false), FaultKind.RESTART),
                Arguments.of(new Fault.Restart(N1, true), FaultKind.AMNESIA),
                Arguments.of(new Fault.Pause(N1), FaultKind.PAUSE),
                Arguments.of(CUT, FaultKind.PARTITION),
                Arguments.of(new Fault.Slow(N1, N2, 10), FaultKind.SLOWNESS),
                Arguments.of(new Fault.WrongSuspicion(N1, N2), FaultKind.MISTAKE),
                Arguments.of(new Fault.LoseTail(N1, 1), FaultKind.TAIL_LOSS),
                Arguments.of(new Fault.ClockRate(N1, 1.2), FaultKind.CLOCK_RATE),
                Arguments.of(new Fault.Join(N1), FaultKind.JOIN),
                Arguments.of(new Fault.Leave(N1), FaultKind.LEAVE));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void each_fault_has_one_kind(Fault fault, FaultKind kind) {
        assertThat(FaultKind.of(withFaults(fault))).containsExactly(kind);
    }

    @Test
    void a_single_message_that_is_lost_or_duplicated_counts_and_a_delay_is_a_latency() {
        assertThat(FaultKind.of(FAULTLESS.withMessageFaults(List.of(new MessageFault.Loss(3)))))
                .containsExactly(FaultKind.LOSS);
        assertThat(FaultKind.of(FAULTLESS.withMessageFaults(List.of(new MessageFault.Duplication(3)))))
                .containsExactly(FaultKind.DUPLICATION);
        var delayed = FAULTLESS.withMessageFaults(List.of(new MessageFault.Delay(3, Duration.ofMillis(50))));
        assertThat(FaultKind.of(delayed)).isEmpty();
        assertThat(delayed.longestDelay()).contains(Duration.ofMillis(55));
        assertThat(FAULTLESS.longestDelay()).contains(Duration.ofMillis(5));
    }

    @Test
    void the_end_of_a_fault_has_no_kind() {
        assertThat(FaultKind.of(withFaults(
                        new Fault.Resume(N1), new Fault.HealCut(CUT), new Fault.Correct(N1, N2), new Fault.Heal())))
                .isEmpty();
    }

    @Test
    void a_world_has_the_kinds_of_its_network_and_of_its_faults() {
        var world = withFaults(
                        faults().stream().map(pair -> (Fault) pair.get()[0]).toArray(Fault[]::new))
                .withNetwork(new NetworkModel(false, 0.1, 0.1));
        assertThat(FaultKind.of(world)).isEqualTo(EnumSet.allOf(FaultKind.class));
    }

    @Test
    void each_kind_has_a_sentence() {
        var sentences = Stream.of(FaultKind.values()).map(FaultKind::sentence).toList();
        assertThat(Set.copyOf(sentences)).hasSameSizeAs(FaultKind.values()).doesNotContain("");
        assertThat(FaultKind.AMNESIA).hasToString("amnesia");
    }
}
