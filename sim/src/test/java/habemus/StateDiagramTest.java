package habemus;

import static habemus.ProtocolFixture.n;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.world.FaultKind;
import habemus.world.NetworkModel;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.ValueFormatter;
import habemus.world.Workload;
import habemus.world.World;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The picture in the Javadoc of an algorithm shows what its phases do: every change of phase that any run has, and no
 * other. An event that leaves the phase as it is, is not drawn.
 *
 * <p>The runs meet whatever the algorithm survives, and on top of that what only delays or misleads: pauses, slow links
 * and wrong suspicions. So the picture also holds in the worlds from which a reader wants to learn why a promise needs
 * its assumption. What an algorithm does after a message was lost or doubled that it needs exactly once, is not drawn:
 * it may be anything, up to a {@link habemus.protocol.ProtocolBug}.
 */
class StateDiagramTest {

    private static final int SEEDS = 1_500;

    static Stream<String> algorithms() {
        return Catalogue.ALL.stream().map(Algorithm::name);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void the_picture_shows_every_change_of_phase_and_no_other(String name) {
        var algorithm = Catalogue.find(name).orElseThrow();
        var drawn = StateDiagram.of(
                        algorithm.create(AlgorithmParameters.defaults()).getClass())
                .transitions();
        var seen = observed(algorithm);
        assertThat(lines("drawn but never seen", drawn, seen) + lines("seen but not drawn", seen, drawn))
                .as("the picture of %s", name)
                .isEmpty();
    }

    @Test
    void several_names_on_a_side_mean_all_combinations() {
        assertThat(StateDiagram.parse(" *  A, B ── x, Y ──▶ C, D\n").transitions())
                .extracting(StateDiagram.Transition::toString)
                .containsExactly(
                        "A ── Y ──▶ C",
                        "A ── Y ──▶ D",
                        "A ── x ──▶ C",
                        "A ── x ──▶ D",
                        "B ── Y ──▶ C",
                        "B ── Y ──▶ D",
                        "B ── x ──▶ C",
                        "B ── x ──▶ D");
    }

    @Test
    void a_remark_stands_two_spaces_behind_the_arrow() {
        assertThat(StateDiagram.parse(" *   · ── start ▶ A  a remark, and B\n").transitions())
                .containsExactly(new StateDiagram.Transition(StateDiagram.NOT_STARTED, "start", "A"));
    }

    @Test
    void what_is_no_arrow_is_not_overlooked() {
        assertThatThrownBy(() -> StateDiagram.parse(" *  A ── x ──▶ B\n *  B -- x --> A\n"))
                .hasMessage("this is no arrow: B -- x --> A");
    }

    private static String lines(
            String title, SortedSet<StateDiagram.Transition> some, SortedSet<StateDiagram.Transition> others) {
        var text = new StringBuilder();
        some.stream()
                .filter(transition -> !others.contains(transition))
                .forEach(transition ->
                        text.append('\n').append(title).append(":  ").append(transition));
        return text.toString();
    }

    private static SortedSet<StateDiagram.Transition> observed(Algorithm algorithm) {
        var phaseObserver = new PhaseObserver();
        var faultKinds = EnumSet.of(FaultKind.PAUSE, FaultKind.SLOWNESS, FaultKind.MISTAKE);
        faultKinds.addAll(RandomWorlds.toleratedFaults(algorithm));
        singleNode(algorithm).trace(phaseObserver);
        for (long seed = 1; seed <= SEEDS; seed++) {
            RandomWorlds.withFaults(algorithm, faultKinds, seed).trace(phaseObserver);
        }
        if (algorithm.shape() == Topology.Shape.GRAPH) {
            overtakingElections(algorithm).trace(phaseObserver);
        }
        return phaseObserver.transitions;
    }

    /** On a line, and in any order, the next election may overtake the news of the last one. */
    private static FuzzCase overtakingElections(Algorithm algorithm) {
        var edges = List.of(new Topology.Edge(n(2), n(1)), new Topology.Edge(n(1), n(3)));
        var line = Topology.graph(List.of(n(1), n(2), n(3)), edges);
        var often = Workload.once(line.nodes()).withEntries(1_000).withThinkTime(Duration.ofMillis(10));
        return new FuzzCase(
                algorithm,
                AlgorithmParameters.defaults(),
                World.of(line).withNetwork(NetworkModel.BAG).withWorkload(often),
                1);
    }

    private static FuzzCase singleNode(Algorithm algorithm) {
        var one = algorithm.shape() == Topology.Shape.RING ? Topology.ring(1) : Topology.complete(1);
        return new FuzzCase(algorithm, AlgorithmParameters.defaults().withNodeCount(1), World.of(one), 1);
    }

    /** Follows a run, and notes every change of phase. */
    private static final class PhaseObserver implements Consumer<TraceEvent> {
        private final SortedSet<StateDiagram.Transition> transitions = new TreeSet<>();
        private final Map<NodeId, String> phases = new HashMap<>();

        @Override
        public void accept(TraceEvent line) {
            switch (line) {
                case TraceEvent.Started started -> {
                    boolean remembers = started.how() == TraceEvent.Start.WITH_MEMORY;
                    phases.put(started.node(), StateDiagram.NOT_STARTED);
                    move(started, remembers ? "restart" : "start");
                }
                case TraceEvent.Step step -> move(step, label(step.event()));
                default -> {}
            }
        }

        private void move(TraceEvent.NodeStep nodeStep, String label) {
            var after = phase(nodeStep.state());
            var before = phases.put(nodeStep.node(), after);
            if (!after.equals(before)) {
                transitions.add(new StateDiagram.Transition(before, label, after));
            }
        }

        private static String label(Event<?> event) {
            return switch (event) {
                case Event.Received<?> received -> ValueFormatter.typeName(received.message());
                case Event.Timeout<?> timeout -> timeout.timer().name();
                case Event<?> other -> ValueFormatter.typeName(other).toLowerCase(Locale.ROOT);
            };
        }

        /** Looked up once, not once a step. */
        private static final ClassValue<Method> PHASE = new ClassValue<>() {
            @Override
            protected Method computeValue(Class<?> type) {
                try {
                    var phase = type.getMethod("phase");
                    phase.setAccessible(true);
                    return phase;
                } catch (NoSuchMethodException none) {
                    throw new IllegalStateException("there is no phase to draw in " + type, none);
                }
            }
        };

        private static String phase(Object state) {
            try {
                return ValueFormatter.typeName(PHASE.get(state.getClass()).invoke(state));
            } catch (ReflectiveOperationException none) {
                throw new IllegalStateException("there is no phase to draw in " + state, none);
            }
        }
    }
}
