package habemus.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.Ranking.Rank;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RankingTest {

    private static final NodeId N1 = new NodeId(1);
    private static final NodeId N2 = new NodeId(2);
    private static final NodeId N3 = new NodeId(3);

    @Test
    void the_higher_rank_is_better() {
        var ranking = new Ranking(List.of(new Rank(N1, 9), new Rank(N2, 5)));
        assertThat(ranking.isBetter(N1, N2)).isTrue();
        assertThat(ranking.isBetter(N2, N1)).isFalse();
    }

    @Test
    void at_equal_ranks_the_higher_number_is_better() {
        var ranking = new Ranking(List.of(new Rank(N1, 5), new Rank(N2, 5)));
        assertThat(ranking.isBetter(N2, N1)).isTrue();
        assertThat(ranking.isBetter(N1, N2)).isFalse();
    }

    @Test
    void a_node_without_a_rank_has_rank_zero() {
        var ranking = new Ranking(List.of(new Rank(N1, 1), new Rank(N3, -1)));
        assertThat(ranking.isBetter(N1, N2)).isTrue();
        assertThat(ranking.isBetter(N2, N3)).isTrue();
        assertThat(ranking.isBetter(N1, N3)).isTrue();
    }

    @Test
    void extreme_ranks_compare_without_overflow() {
        var ranking = new Ranking(List.of(new Rank(N1, Long.MAX_VALUE), new Rank(N2, Long.MIN_VALUE)));
        assertThat(ranking.isBetter(N1, N2)).isTrue();
        assertThat(ranking.isBetter(N2, N1)).isFalse();
    }

    @Test
    void without_ranks_the_higher_number_is_better() {
        assertThat(Ranking.BY_NUMBER.isBetter(N3, N2)).isTrue();
        assertThat(Ranking.BY_NUMBER.isBetter(N1, N2)).isFalse();
    }

    @Test
    void a_ranking_is_a_total_order() {
        var ranking = random(7, 9);
        for (int a = 1; a <= 9; a++) {
            var one = new NodeId(a);
            assertThat(ranking.isBetter(one, one)).isFalse();
            for (int b = 1; b <= 9; b++) {
                var other = new NodeId(b);
                assertThat(a == b || ranking.isBetter(one, other) ^ ranking.isBetter(other, one))
                        .isTrue();
                for (int c = 1; c <= 9; c++) {
                    var third = new NodeId(c);
                    assertThat(!(ranking.isBetter(one, other) && ranking.isBetter(other, third))
                                    || ranking.isBetter(one, third))
                            .isTrue();
                }
            }
        }
    }

    @Test
    void every_other_node_is_either_better_or_worse() {
        for (int seed = 0; seed < 20; seed++) {
            var ranking = random(seed, 12);
            var all = NodeSet.of(
                    IntStream.rangeClosed(1, 12).mapToObj(NodeId::new).toList());
            for (NodeId self : all) {
                var above = ranking.betterThan(self, all);
                var below = ranking.worseThan(self, all);
                assertThat(above).allMatch(node -> ranking.isBetter(node, self));
                assertThat(below).allMatch(node -> ranking.isBetter(self, node));
                assertThat(above.with(below)).isEqualTo(all.without(self));
                assertThat(above.intersection(below)).isEqualTo(NodeSet.NONE);
            }
        }
    }

    @Test
    void the_result_contains_only_given_nodes() {
        assertThat(Ranking.BY_NUMBER.betterThan(N1, NodeSet.of(N3))).isEqualTo(NodeSet.of(N3));
        assertThat(Ranking.BY_NUMBER.worseThan(N3, NodeSet.of(N1))).isEqualTo(NodeSet.of(N1));
    }

    @Test
    void ranks_may_be_listed_in_any_order() {
        var ranking = new Ranking(List.of(new Rank(N3, 1), new Rank(N1, 3), new Rank(N2, 2)));
        assertThat(ranking).isEqualTo(new Ranking(List.of(new Rank(N1, 3), new Rank(N2, 2), new Rank(N3, 1))));
        assertThat(ranking.isBetter(N1, N2)).isTrue();
        assertThat(ranking.isBetter(N2, N3)).isTrue();
    }

    @Test
    void a_ranking_copies_its_list() {
        var ranks = new ArrayList<>(List.of(new Rank(N1, 1)));
        var ranking = new Ranking(ranks);
        ranks.clear();
        assertThat(ranking.isBetter(N1, N2)).isTrue();
    }

    /** Only five different ranks, so that some are equal. */
    private static Ranking random(long seed, int nodes) {
        var random = new Random(seed);
        return new Ranking(IntStream.rangeClosed(1, nodes)
                .filter(i -> i % 4 != 0)
                .mapToObj(i -> new Rank(new NodeId(i), random.nextInt(5) - 2))
                .toList());
    }

    @Test
    void the_best_has_the_highest_rank_and_of_equal_ranks_the_highest_number() {
        var ranking = new Ranking(List.of(new Ranking.Rank(new NodeId(2), 7), new Ranking.Rank(new NodeId(3), 7)));
        var nodes = NodeSet.of(new NodeId(1), new NodeId(2), new NodeId(3), new NodeId(4));
        assertThat(ranking.best(nodes)).isEqualTo(new NodeId(3));
        assertThat(ranking.withBest(Ranking.Best.LOWEST).best(nodes)).isEqualTo(new NodeId(1));
    }

    @Test
    void if_the_lowest_is_the_best_then_the_order_is_reversed() {
        var highest = random(7, 20);
        var lowest = highest.withBest(Ranking.Best.LOWEST);
        for (int i = 1; i <= 20; i++) {
            for (int j = 1; j <= 20; j++) {
                assertThat(lowest.isBetter(new NodeId(i), new NodeId(j)))
                        .isEqualTo(highest.isBetter(new NodeId(j), new NodeId(i)));
            }
        }
    }
}
