package habemus.election;

import static habemus.ProtocolFixture.n;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.GraphEnumeration;
import habemus.protocol.Effect;
import habemus.protocol.NodeId;
import habemus.protocol.Ranking;
import habemus.simulate.Simulation;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.World;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The cost of a YoYo election on any graph: the exact number of greetings and announcements, and a bound of the rounds.
 */
class YoYoCostTest {

    /**
     * @param messages the number of messages by type
     * @param sources the number of sources in each round
     */
    private record MessageCosts(Topology graph, Map<String, Integer> messages, List<Integer> sources) {

        int of(String kind) {
            return messages.getOrDefault(kind, 0);
        }

        int all() {
            return messages.values().stream().mapToInt(Integer::intValue).sum();
        }

        void check() {
            int m = GraphEnumeration.edgeCount(graph);
            assertThat(of("Hello")).isEqualTo(2 * m);
            assertThat(of("Leader")).isEqualTo(2 * m - graph.size() + 1);
            assertThat(of("Yes") + of("No") + of("Prune")).isEqualTo(of("Best")).isLessThanOrEqualTo(m * rounds());
            assertThat(rounds()).isLessThanOrEqualTo(2 * log2(sources.getFirst()) + 1);
            for (int round = 2; round < rounds(); round++) {
                assertThat(sources.get(round)).isLessThanOrEqualTo(Math.max(1, sources.get(round - 2) / 2));
            }
        }

        private int rounds() {
            return sources.size();
        }

        private static int log2(int number) {
            return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(number);
        }
    }

    private static MessageCosts elect(Topology graph) {
        var messages = new TreeMap<String, Integer>();
        var roundsAsSource = new TreeMap<NodeId, Integer>();
        Simulation.of(new YoYo(Ranking.BY_NUMBER, false), World.of(graph), 1)
                .withTrace(event -> {
                    if (event instanceof TraceEvent.NodeStep nodeStep) {
                        nodeStep.sent()
                                .forEach(inFlightMessage -> messages.merge(
                                        inFlightMessage.message().getClass().getSimpleName(), 1, Integer::sum));
                        if (isSource(nodeStep)) {
                            roundsAsSource.merge(nodeStep.node(), 1, Integer::sum);
                        }
                    }
                })
                .run();
        int rounds = roundsAsSource.values().stream()
                .mapToInt(Integer::intValue)
                .max()
                .orElse(0);
        var sources = IntStream.rangeClosed(1, rounds).mapToObj(round -> (int)
                roundsAsSource.values().stream().filter(count -> count >= round).count());
        return new MessageCosts(graph, messages, sources.toList());
    }

    private static boolean isSource(TraceEvent.NodeStep nodeStep) {
        return nodeStep.effects().stream()
                .anyMatch(effect -> effect instanceof Effect.SendAll<?> all
                        && all.message().equals(new YoYo.Message.Best(nodeStep.node())));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5})
    void the_costs_hold_on_every_small_graph(int size) {
        GraphEnumeration.of(size).forEach(graph -> elect(graph).check());
    }

    @Test
    void the_costs_hold_on_large_random_graphs() {
        for (int seed = 1; seed <= 200; seed++) {
            elect(randomGraph(seed)).check();
        }
    }

    /** A tree of up to a hundred nodes with some more edges. */
    private static Topology randomGraph(long seed) {
        var random = new SplittableRandom(seed);
        int size = 10 + random.nextInt(90);
        var numbers = new ArrayList<>(IntStream.rangeClosed(1, size).boxed().toList());
        Collections.shuffle(numbers, new Random(seed));
        var edges = new ArrayList<Topology.Edge>();
        for (int i = 1; i < size; i++) {
            edges.add(new Topology.Edge(n(numbers.get(i)), n(numbers.get(random.nextInt(i)))));
        }
        for (int more = random.nextInt(size); more > 0; more--) {
            int node = 1 + random.nextInt(size - 1);
            edges.add(new Topology.Edge(n(node), n(node + 1 + random.nextInt(size - node))));
        }
        return Topology.graph(numbers.stream().map(NodeId::new).toList(), edges);
    }

    @Test
    void one_source_needs_one_round() {
        var costs = elect(Topology.complete(6));
        assertThat(costs.sources()).containsExactly(1);
        assertThat(costs.all()).isEqualTo(6 * 15 - 6 + 1); // 6m-n+1
    }

    /** The id of the centre n6 meets n7 … n11 at n1 … n5 and loses everywhere: six sources, then five, then one. */
    @Test
    void a_round_may_leave_all_sources_but_one() {
        var edges = IntStream.rangeClosed(1, 5)
                .boxed()
                .flatMap(i -> List.of(new Topology.Edge(n(6), n(i)), new Topology.Edge(n(i), n(i + 6))).stream());
        var nodes = IntStream.rangeClosed(1, 11).mapToObj(NodeId::new).toList();
        assertThat(elect(Topology.graph(nodes, edges.toList())).sources()).containsExactly(6, 5, 1);
    }
}
