package habemus;

import static habemus.Given.n;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.catalogue.Setting;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.world.Hazard;
import habemus.world.Network;
import habemus.world.Topology;
import habemus.world.TraceLine;
import habemus.world.Wording;
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
class DrawingTest {

    private static final int SEEDS = 1_500;

    static Stream<String> algorithms() {
        return Catalogue.ALL.stream().map(Algorithm::name);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void the_picture_shows_every_change_of_phase_and_no_other(String name) {
        var algorithm = Catalogue.find(name).orElseThrow();
        var drawn = Picture.of(algorithm.make(Setting.standard()).getClass()).arrows();
        var seen = seen(algorithm);
        assertThat(lines("drawn but never seen", drawn, seen) + lines("seen but not drawn", seen, drawn))
                .as("the picture of %s", name)
                .isEmpty();
    }

    @Test
    void several_names_on_a_side_mean_all_combinations() {
        assertThat(Picture.parse(" *  A, B ── x, Y ──▶ C, D\n").arrows())
                .extracting(Picture.Arrow::toString)
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
        assertThat(Picture.parse(" *   · ── start ▶ A  a remark, and B\n").arrows())
                .containsExactly(new Picture.Arrow(Picture.NOT_STARTED, "start", "A"));
    }

    @Test
    void what_is_no_arrow_is_not_overlooked() {
        assertThatThrownBy(() -> Picture.parse(" *  A ── x ──▶ B\n *  B -- x --> A\n"))
                .hasMessage("this is no arrow: B -- x --> A");
    }

    private static String lines(String title, SortedSet<Picture.Arrow> some, SortedSet<Picture.Arrow> others) {
        var text = new StringBuilder();
        some.stream()
                .filter(arrow -> !others.contains(arrow))
                .forEach(arrow -> text.append('\n').append(title).append(":  ").append(arrow));
        return text.toString();
    }

    private static SortedSet<Picture.Arrow> seen(Algorithm algorithm) {
        var eye = new Eye();
        var hazards = EnumSet.of(Hazard.PAUSE, Hazard.SLOWNESS, Hazard.MISTAKE);
        hazards.addAll(RandomWorlds.survivable(algorithm));
        alone(algorithm).trace(eye);
        for (long seed = 1; seed <= SEEDS; seed++) {
            RandomWorlds.struck(algorithm, hazards, seed).trace(eye);
        }
        if (algorithm.shape() == Topology.Shape.GRAPH) {
            hasty(algorithm).trace(eye);
        }
        return eye.seen;
    }

    /** On a line, and in any order, the next election may overtake the news of the last one. */
    private static Trial hasty(Algorithm algorithm) {
        var edges = List.of(new Topology.Edge(n(2), n(1)), new Topology.Edge(n(1), n(3)));
        var line = Topology.graph(List.of(n(1), n(2), n(3)), edges);
        var often = Workload.once(line.nodes()).entering(1_000).thinking(Duration.ofMillis(10));
        return new Trial(
                algorithm, Setting.standard(), World.of(line).over(Network.BAG).wanting(often), 1);
    }

    private static Trial alone(Algorithm algorithm) {
        var one = algorithm.shape() == Topology.Shape.RING ? Topology.ring(1) : Topology.complete(1);
        return new Trial(algorithm, Setting.standard().among(1), World.of(one), 1);
    }

    /** Follows a run, and notes every change of phase. */
    private static final class Eye implements Consumer<TraceLine> {
        private final SortedSet<Picture.Arrow> seen = new TreeSet<>();
        private final Map<NodeId, String> phases = new HashMap<>();

        @Override
        public void accept(TraceLine line) {
            switch (line) {
                case TraceLine.Started started -> {
                    boolean remembers = started.how() == TraceLine.Start.WITH_MEMORY;
                    phases.put(started.node(), Picture.NOT_STARTED);
                    move(started, remembers ? "restart" : "start");
                }
                case TraceLine.Stepped stepped -> move(stepped, label(stepped.event()));
                default -> {}
            }
        }

        private void move(TraceLine.Acted acted, String label) {
            var after = phase(acted.state());
            var before = phases.put(acted.node(), after);
            if (!after.equals(before)) {
                seen.add(new Picture.Arrow(before, label, after));
            }
        }

        private static String label(Event<?> event) {
            return switch (event) {
                case Event.Received<?> received -> Wording.name(received.message());
                case Event.Elapsed<?> elapsed -> elapsed.alarm().name();
                case Event<?> other -> Wording.name(other).toLowerCase(Locale.ROOT);
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
                return Wording.name(PHASE.get(state.getClass()).invoke(state));
            } catch (ReflectiveOperationException none) {
                throw new IllegalStateException("there is no phase to draw in " + state, none);
            }
        }
    }
}
