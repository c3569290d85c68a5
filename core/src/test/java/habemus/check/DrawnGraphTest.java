package habemus.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Components, fair cycles and bypasses of graphs so small that everything can be tried. */
class DrawnGraphTest {

    private static final int GRAPHS = 2_000;
    private static final int STATES = 6;

    @Test
    void states_are_together_if_each_can_be_reached_from_the_other() {
        forAll(drawing -> {
            var components = Components.of(drawing.graph, drawing.part);
            for (int one : drawing.part.stream().toArray()) {
                for (int other : drawing.part.stream().toArray()) {
                    boolean together = one == other || drawing.reaches(one, other) && drawing.reaches(other, one);
                    assertThat(components.together(one, other)).isEqualTo(together);
                }
            }
        });
    }

    @Test
    void steps_lead_to_earlier_states_or_stay_together() {
        forAll(drawing -> {
            var components = Components.of(drawing.graph, drawing.part);
            var order = IntStream.of(components.order()).boxed().toList();
            assertThat(order).hasSize(drawing.part.cardinality());
            for (var step : drawing.graph.steps(drawing.part)) {
                int target = drawing.graph.target(step);
                assertThat(order.indexOf(target) < order.indexOf(step.state())
                                || components.together(step.state(), target))
                        .isTrue();
            }
        });
    }

    @Test
    void a_fair_cycle_is_found_if_and_only_if_there_is_one() {
        forAll(drawing -> {
            var graph = drawing.graph;
            var found = new FairCycles(graph, graph, graph::depth).nearest(drawing.part);
            assertThat(found.map(List::getFirst)
                            .map(Walk.Step::state)
                            .map(graph::depth)
                            .map(OptionalInt::of)
                            .orElse(OptionalInt.empty()))
                    .isEqualTo(drawing.depthOfNearestFairCycle());
            found.ifPresent(cycle -> {
                assertThat(graph.steps(drawing.part)).containsAll(cycle);
                assertThat(graph.isFair(cycle)).isTrue();
                for (int i = 0; i < cycle.size(); i++) {
                    assertThat(cycle.get((i + 1) % cycle.size()).state()).isEqualTo(graph.target(cycle.get(i)));
                }
            });
        });
    }

    @Test
    void a_fair_cycle_through_some_states_is_found_if_and_only_if_there_is_one() {
        forAll(drawing -> {
            var graph = drawing.graph;
            var some = new BitSet();
            IntStream.range(0, STATES)
                    .filter(state -> drawing.part.get(state) && graph.depth(state) % 2 == 0)
                    .forEach(some::set);
            var found = new FairCycles(graph, graph, graph::depth).through(drawing.part, some);
            assertThat(found.map(List::getFirst)
                            .map(Walk.Step::state)
                            .map(graph::depth)
                            .map(OptionalInt::of)
                            .orElse(OptionalInt.empty()))
                    .isEqualTo(drawing.fairCycles()
                            .filter(some::get)
                            .map(graph::depth)
                            .min());
            found.ifPresent(cycle -> assertThat(graph.isFair(cycle)).isTrue());
        });
    }

    @Test
    void the_largest_bypass_is_the_most_that_can_be_walked() {
        forAll(drawing -> {
            var graph = drawing.graph;
            var largest = drawing.bypass();
            int most = drawing.mostEntries(STATES * (STATES + 2));
            assertThat(largest.times()).isEqualTo(most >= STATES ? Scope.MANY : most);
            long entries = largest.way().stream()
                    .filter(step -> graph.enters(step.state(), step.place()))
                    .count();
            assertThat(entries).isGreaterThanOrEqualTo(Math.min(1, most));
            assertThat(most >= STATES || entries == most).isTrue();
            assertThat(graph.steps(drawing.part)).containsAll(largest.way());
        });
    }

    private static void forAll(Consumer<Drawing> what) {
        for (int seed = 0; seed < GRAPHS; seed++) {
            var random = new SplittableRandom(seed);
            var graph = new DrawnGraph(random, STATES);
            var part = new BitSet();
            part.set(0, STATES);
            part.clear(random.nextInt(2 * STATES));
            what.accept(new Drawing(graph, part));
        }
    }

    private record Drawing(DrawnGraph graph, BitSet part) {

        OptionalInt depthOfNearestFairCycle() {
            return fairCycles().map(graph::depth).min();
        }

        /** The states that lie on some. Tries all sets of states. */
        IntStream fairCycles() {
            return IntStream.range(1, 1 << STATES)
                    .mapToObj(bits -> BitSet.valueOf(new long[] {bits}))
                    .filter(states -> states.stream().allMatch(part::get))
                    .filter(states -> states.stream()
                            .allMatch(state ->
                                    graph.reached(state, graph.lasting(states)).equals(states)))
                    .filter(states -> graph.isFair(graph.lasting(states)))
                    .flatMapToInt(BitSet::stream);
        }

        boolean reaches(int one, int other) {
            return graph.reached(one, graph.steps(part)).get(other);
        }

        Bypass.Largest bypass() {
            var components = Components.of(graph, part);
            return new Bypass(graph, graph::enters, graph::depth, part, components).largest();
        }

        int mostEntries(int steps) {
            var most = new int[STATES];
            for (int i = 0; i < steps; i++) {
                var before = most.clone();
                graph.steps(part)
                        .forEach(step -> most[step.state()] = Math.max(
                                most[step.state()],
                                before[graph.target(step)] + (graph.enters(step.state(), step.place()) ? 1 : 0)));
            }
            return IntStream.of(most).max().orElse(0);
        }
    }
}
