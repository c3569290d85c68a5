package habemus;

import static habemus.ProtocolFixture.n;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.Protocol;
import habemus.world.FaultKind;
import habemus.world.NetworkModel;
import habemus.world.Problem;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The diagram in the Javadoc of an algorithm shows every phase change that happens in a run, and no other. Events that
 * do not change the phase are not shown. The phase of a state is its {@code phase} or its {@code role}.
 *
 * <p>The runs contain all faults that the algorithm tolerates, and also pauses, slow links and wrong suspicions. So the
 * diagram also holds in runs that violate an assumption about time. It does not hold after the loss or duplication of a
 * message that the algorithm needs exactly once: then anything may happen, even a {@link habemus.protocol.ProtocolBug}.
 */
@Tag("slow")
class StateDiagramTest {

    private static final int SEEDS = 1_500;

    static Stream<String> algorithms() {
        return Catalogue.ALL.stream() // the page of a program shows its statements
                .filter(algorithm -> algorithm.problem() != Problem.THREADS)
                .map(Algorithm::name);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void the_diagram_shows_exactly_the_observed_phase_changes(String name) {
        var algorithm = Catalogue.find(name).orElseThrow();
        var shown = StateDiagram.of(
                        algorithm.create(AlgorithmParameters.defaults()).getClass())
                .transitions();
        var observed = observed(algorithm);
        assertThat(lines("shown but not observed", shown, observed) + lines("observed but not shown", observed, shown))
                .as("the diagram of %s", name)
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
    void a_remark_follows_after_two_spaces() {
        assertThat(StateDiagram.parse(" *   · ── start ▶ A  a remark, and B\n").transitions())
                .containsExactly(new StateDiagram.Transition(StateDiagram.NOT_STARTED, "start", "A"));
    }

    @Test
    void a_line_without_an_arrow_is_rejected() {
        assertThatThrownBy(() -> StateDiagram.parse(" *  A ── x ──▶ B\n *  B -- x --> A\n"))
                .hasMessage("not a transition: B -- x --> A");
    }

    private static String lines(
            String title, SortedSet<StateDiagram.Transition> transitions, SortedSet<StateDiagram.Transition> others) {
        var text = new StringBuilder();
        transitions.stream()
                .filter(transition -> !others.contains(transition))
                .forEach(transition ->
                        text.append('\n').append(title).append(":  ").append(transition));
        return text.toString();
    }

    private static SortedSet<StateDiagram.Transition> observed(Algorithm algorithm) {
        var observer = new PhaseObserver();
        var faultKinds = EnumSet.of(FaultKind.PAUSE, FaultKind.SLOWNESS, FaultKind.MISTAKE);
        faultKinds.addAll(RandomWorlds.toleratedFaults(algorithm));
        singleNode(algorithm).trace(observer);
        for (long seed = 1; seed <= SEEDS; seed++) {
            var fuzzCase = RandomWorlds.withFaults(algorithm, faultKinds, seed);
            fuzzCase.trace(algorithm.problem() == Problem.LOG ? new LateMessages(fuzzCase, observer) : observer);
        }
        if (algorithm.shape() == Topology.Shape.GRAPH) {
            overtakingElections(algorithm).trace(observer);
        }
        return observer.transitions;
    }

    /** On a path with reordering links, the next election may overtake the result of the last one. */
    private static FuzzCase overtakingElections(Algorithm algorithm) {
        var edges = List.of(new Topology.Edge(n(2), n(1)), new Topology.Edge(n(1), n(3)));
        var path = Topology.graph(List.of(n(1), n(2), n(3)), edges);
        var frequent = Workload.once(path.nodes()).withEntries(1_000).withThinkTime(Duration.ofMillis(10));
        return new FuzzCase(
                algorithm,
                AlgorithmParameters.defaults(),
                World.of(path).withNetwork(NetworkModel.BAG).withWorkload(frequent),
                1);
    }

    private static FuzzCase singleNode(Algorithm algorithm) {
        var topology = algorithm.shape() == Topology.Shape.RING ? Topology.ring(1) : Topology.complete(1);
        return new FuzzCase(algorithm, AlgorithmParameters.defaults().withNodeCount(1), World.of(topology), 1);
    }

    /**
     * Also tries the last message of each type at its receiver, when it is sent and after every step of the receiver: a
     * message may be late, and may arrive twice.
     */
    private static final class LateMessages implements Consumer<TraceEvent> {
        private final Protocol<?, ?> protocol;
        private final PhaseObserver observer;
        private final Map<NodeId, Object> states = new HashMap<>();
        private final Map<NodeId, Map<Class<?>, Event.Received<?>>> sent = new HashMap<>();

        LateMessages(FuzzCase fuzzCase, PhaseObserver observer) {
            protocol = fuzzCase.algorithm().create(fuzzCase.parameters());
            this.observer = observer;
        }

        @Override
        public void accept(TraceEvent event) {
            observer.accept(event);
            if (event instanceof TraceEvent.NodeStep step) {
                states.put(step.node(), step.state());
                sent.getOrDefault(step.node(), Map.of()).values().forEach(late -> attempt(step.node(), late));
                for (var effect : step.effects()) {
                    switch (effect) {
                        case Effect.Send<?>(var to, var message) -> send(step.node(), to, message);
                        case Effect.SendAll<?>(var all, var message) ->
                            all.forEach(to -> send(step.node(), to, message));
                        default -> {}
                    }
                }
            }
        }

        private void send(NodeId from, NodeId to, Object message) {
            var received = new Event.Received<>(from, message);
            sent.computeIfAbsent(to, node -> new HashMap<>()).put(message.getClass(), received);
            attempt(to, received);
        }

        private void attempt(NodeId node, Event.Received<?> received) {
            var state = states.get(node);
            if (state != null) {
                observer.addChange(PhaseObserver.phase(state), received, stateAfter(protocol, state, received));
            }
        }

        @SuppressWarnings("unchecked") // the states and messages of a run are those of its protocol
        private static <S, M> Object stateAfter(Protocol<S, M> protocol, Object state, Event.Received<?> received) {
            return protocol.step((S) state, (Event<M>) received).state();
        }
    }

    /** Collects the phase changes of a run. */
    private static final class PhaseObserver implements Consumer<TraceEvent> {
        private final SortedSet<StateDiagram.Transition> transitions = new TreeSet<>();
        private final Map<NodeId, String> phases = new HashMap<>();

        @Override
        public void accept(TraceEvent event) {
            switch (event) {
                case TraceEvent.Started started -> {
                    phases.put(started.node(), StateDiagram.NOT_STARTED);
                    addChange(
                            started,
                            switch (started.how()) {
                                case FIRST, WITH_AMNESIA -> "start";
                                case WITH_MEMORY -> "restart";
                                case AS_NEW_MEMBER -> "join";
                            });
                }
                case TraceEvent.Step step -> addChange(step, label(step.event()));
                default -> {}
            }
        }

        private void addChange(TraceEvent.NodeStep nodeStep, String label) {
            var after = phase(nodeStep.state());
            addChange(phases.put(nodeStep.node(), after), label, after);
        }

        void addChange(String before, Event<?> event, Object stateAfter) {
            addChange(before, label(event), phase(stateAfter));
        }

        private void addChange(String before, String label, String after) {
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

        /** Caches the reflective lookup. */
        private static final ClassValue<Method> PHASE = new ClassValue<>() {
            @Override
            protected Method computeValue(Class<?> type) {
                var phase = Stream.of(type.getMethods())
                        .filter(method -> List.of("phase", "role").contains(method.getName()))
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("no phase and no role in " + type));
                phase.setAccessible(true);
                return phase;
            }
        };

        private static String phase(Object state) {
            try {
                return ValueFormatter.typeName(PHASE.get(state.getClass()).invoke(state));
            } catch (ReflectiveOperationException missing) {
                throw new IllegalStateException("no phase in " + state, missing);
            }
        }
    }
}
