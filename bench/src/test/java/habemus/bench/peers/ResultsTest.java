package habemus.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.peers.Answer;
import habemus.peers.Step;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultsTest {

    private static final Plan PLAN = new Plan(List.of(1, 8), 0, 2, 3);

    private final Results results = new Results();

    private void rates(Product product, Step step, double... rates) {
        for (double rate : rates) {
            results.add(product, new Answer(step, Map.of(Answer.PER_SECOND, rate)));
        }
    }

    @Test
    void the_median_of_an_even_number_lies_between_the_two_in_the_middle() {
        assertThat(Results.median(1, 2, 4, 9)).hasValue(3);
        assertThat(Results.median(1, 2, 9)).hasValue(2);
        assertThat(Results.median()).isEmpty();
    }

    @Test
    void only_what_is_on_the_disks_of_a_majority_counts_as_a_durable_peer() {
        var step = PLAN.load(false, 8);
        rates(Product.ZOOKEEPER, step, 100, 300, 200);
        rates(Product.ETCD, step, 250);
        rates(Product.HABEMUS, step, 5_000);
        rates(Product.HAZELCAST, step, 10_000);
        rates(Product.REDIS, step, 20_000);
        assertThat(results.durable(step, Answer.PER_SECOND).max()).hasValue(250);
    }

    @Test
    void the_table_tells_median_spread_and_ratio_and_what_did_not_get_to_the_end() {
        rates(Product.ZOOKEEPER, PLAN.load(true, 8), 100, 300, 200);
        rates(Product.ETCD, PLAN.load(true, 8), 400, 400);
        results.add(Product.ETCD, new Answer(Plan.KILL, Map.of(Answer.FIRST, 1200.0, Answer.EVERY, 1500.0)));
        results.fail("zookeeper in round 3");
        var text = new Table(PLAN, List.of(Product.ZOOKEEPER, Product.ETCD), results, 1).text();
        assertThat(text)
                .contains("| 8 | ZooKeeper 3.9, Curator | 200 | 100 – 300 |", "| 0.50 × |", "| 1.00 × |")
                .contains("| etcd 3.4, jetcd | 1 | 1,200 ms | 1,200 ms | 1,500 ms | 1,500 ms |")
                .contains("Did not get to the end: zookeeper in round 3");
    }
}
