package habemus.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.bench.product.BenchmarkStep;
import habemus.bench.product.StepResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultsTest {

    private static final BenchmarkPlan PLAN = new BenchmarkPlan(List.of(1, 8), 0, 2, 3);

    private final Results results = new Results();

    private void rates(ProductId product, BenchmarkStep benchmarkStep, double... rates) {
        for (double rate : rates) {
            results.add(product, new StepResult(benchmarkStep, Map.of(StepResult.CYCLES_PER_SECOND, rate)));
        }
    }

    @Test
    void the_median_of_an_even_number_of_values_is_the_mean_of_the_middle_two() {
        assertThat(Results.median(1, 2, 4, 9)).hasValue(3);
        assertThat(Results.median(1, 2, 9)).hasValue(2);
        assertThat(Results.median()).isEmpty();
    }

    @Test
    void only_products_that_store_on_a_majority_of_disks_count_as_durable_peers() {
        var step = PLAN.load(false, 8);
        rates(ProductId.ZOOKEEPER, step, 100, 300, 200);
        rates(ProductId.ETCD, step, 250);
        rates(ProductId.HABEMUS, step, 5_000);
        rates(ProductId.HAZELCAST, step, 10_000);
        rates(ProductId.REDIS, step, 20_000);
        assertThat(results.durablePeerMedians(step, StepResult.CYCLES_PER_SECOND)
                        .max())
                .hasValue(250);
    }

    @Test
    void the_table_has_median_spread_ratio_and_failed_rounds() {
        rates(ProductId.ZOOKEEPER, PLAN.load(true, 8), 100, 300, 200);
        rates(ProductId.ETCD, PLAN.load(true, 8), 400, 400);
        results.add(
                ProductId.ETCD,
                new StepResult(
                        BenchmarkPlan.KILL,
                        Map.of(StepResult.FIRST_SERVED_MILLIS, 1200.0, StepResult.ALL_SERVED_MILLIS, 1500.0)));
        results.addFailure("zookeeper in round 3");
        var text = new ResultTable(PLAN, List.of(ProductId.ZOOKEEPER, ProductId.ETCD), results, 1).text();
        assertThat(text)
                .contains("| 8 | ZooKeeper 3.9, Curator | 200 | 100 – 300 |", "| 0.50 × |", "| 1.00 × |")
                .contains("| etcd 3.4, jetcd | 1 | 1,200 ms | 1,200 ms | 1,500 ms | 1,500 ms |")
                .contains("Not completed: zookeeper in round 3");
    }
}
