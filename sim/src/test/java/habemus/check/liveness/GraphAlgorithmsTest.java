package habemus.check.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.check.model.Scope;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Components, fair cycles and bypasses, compared with exhaustive search in small random graphs. */
class GraphAlgorithmsTest {

    private static final int GRAPHS = 2_000;
    private static final int STATES = 6;

    @Test
    void two_states_share_a_component_if_each_reaches_the_other() {
        forAll(sample -> {
            var stronglyConnectedComponents = StronglyConnectedComponents.of(sample.graph, sample.part);
            for (int one : sample.part.stream().toArray()) {
                for (int other : sample.part.stream().toArray()) {
                    boolean together = one == other || sample.reaches(one, other) && sample.reaches(other, one);
                    assertThat(stronglyConnectedComponents.areTogether(one, other))
                            .isEqualTo(together);
                }
            }
        });
    }

    @Test
    void an_edge_leads_to_an_earlier_state_or_stays_in_its_component() {
        forAll(sample -> {
            var stronglyConnectedComponents = StronglyConnectedComponents.of(sample.graph, sample.part);
            var order =
                    IntStream.of(stronglyConnectedComponents.order()).boxed().toList();
            assertThat(order).hasSize(sample.part.cardinality());
            for (var edge : sample.graph.edges(sample.part)) {
                int target = sample.graph.target(edge);
                assertThat(order.indexOf(target) < order.indexOf(edge.state())
                                || stronglyConnectedComponents.areTogether(edge.state(), target))
                        .isTrue();
            }
        });
    }

    @Test
    void a_fair_cycle_is_found_if_and_only_if_there_is_one() {
        forAll(sample -> {
            var graph = sample.graph;
            var found = new FairCycleFinder(graph, graph, graph::depth).nearest(sample.part);
            assertThat(found.map(List::getFirst)
                            .map(ShortestPaths.Edge::state)
                            .map(graph::depth)
                            .map(OptionalInt::of)
                            .orElse(OptionalInt.empty()))
                    .isEqualTo(sample.depthOfNearestFairCycle());
            found.ifPresent(cycle -> {
                assertThat(graph.edges(sample.part)).containsAll(cycle);
                assertThat(graph.isFair(cycle)).isTrue();
                for (int i = 0; i < cycle.size(); i++) {
                    assertThat(cycle.get((i + 1) % cycle.size()).state()).isEqualTo(graph.target(cycle.get(i)));
                }
            });
        });
    }

    @Test
    void a_fair_cycle_through_some_states_is_found_if_and_only_if_there_is_one() {
        forAll(sample -> {
            var graph = sample.graph;
            var some = new BitSet();
            IntStream.range(0, STATES)
                    .filter(state -> sample.part.get(state) && graph.depth(state) % 2 == 0)
                    .forEach(some::set);
            var found = new FairCycleFinder(graph, graph, graph::depth).nearestThrough(sample.part, some);
            assertThat(found.map(List::getFirst)
                            .map(ShortestPaths.Edge::state)
                            .map(graph::depth)
                            .map(OptionalInt::of)
                            .orElse(OptionalInt.empty()))
                    .isEqualTo(sample.fairCycles()
                            .filter(some::get)
                            .map(graph::depth)
                            .min());
            found.ifPresent(cycle -> assertThat(graph.isFair(cycle)).isTrue());
        });
    }

    @Test
    void the_largest_bypass_is_the_most_entries_of_a_path() {
        forAll(sample -> {
            var graph = sample.graph;
            var maxBypass = sample.bypass();
            int max = sample.mostEntries(STATES * (STATES + 2));
            assertThat(maxBypass.times()).isEqualTo(max >= STATES ? Scope.UNBOUNDED : max);
            long entries = maxBypass.path().stream()
                    .filter(edge -> graph.isEntry(edge.state(), edge.index()))
                    .count();
            assertThat(entries).isGreaterThanOrEqualTo(Math.min(1, max));
            assertThat(max >= STATES || entries == max).isTrue();
            assertThat(graph.edges(sample.part)).containsAll(maxBypass.path());
        });
    }

    private static void forAll(Consumer<Sample> assertion) {
        for (int seed = 0; seed < GRAPHS; seed++) {
            var random = new SplittableRandom(seed);
            var graph = new RandomGraph(random, STATES);
            var part = new BitSet();
            part.set(0, STATES);
            part.clear(random.nextInt(2 * STATES));
            assertion.accept(new Sample(graph, part));
        }
    }

    private record Sample(RandomGraph graph, BitSet part) {

        OptionalInt depthOfNearestFairCycle() {
            return fairCycles().map(graph::depth).min();
        }

        /** The states that lie on some. Tries all sets of states. */
        IntStream fairCycles() {
            return IntStream.range(1, 1 << STATES)
                    .mapToObj(bits -> BitSet.valueOf(new long[] {bits}))
                    .filter(states -> states.stream().allMatch(part::get))
                    .filter(states -> states.stream()
                            .allMatch(state -> graph.reachableFrom(state, graph.endComponentEdges(states))
                                    .equals(states)))
                    .filter(states -> graph.isFair(graph.endComponentEdges(states)))
                    .flatMapToInt(BitSet::stream);
        }

        boolean reaches(int one, int other) {
            return graph.reachableFrom(one, graph.edges(part)).get(other);
        }

        BypassBound.MaxBypass bypass() {
            var stronglyConnectedComponents = StronglyConnectedComponents.of(graph, part);
            return new BypassBound(graph, graph::isEntry, graph::depth, part, stronglyConnectedComponents).compute();
        }

        int mostEntries(int steps) {
            var max = new int[STATES];
            for (int i = 0; i < steps; i++) {
                var before = max.clone();
                graph.edges(part)
                        .forEach(edge -> max[edge.state()] = Math.max(
                                max[edge.state()],
                                before[graph.target(edge)] + (graph.isEntry(edge.state(), edge.index()) ? 1 : 0)));
            }
            return IntStream.of(max).max().orElse(0);
        }
    }
}
