package habemus.service.algorithm;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three nodes in one process, on real sockets. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class AlgorithmNodeTest {

    private static final int ENTRIES = 20;

    private List<AlgorithmNode> nodes = List.of();

    private void start(String locks, String elections) {
        nodes = TestClusters.start(3, locks, elections, UnaryOperator.identity());
    }

    @AfterEach
    void stop() {
        nodes.forEach(AlgorithmNode::close);
    }

    @ParameterizedTest
    @ValueSource(strings = {"central", "ricart-agrawala", "quorum"})
    void there_is_never_more_than_one_holder_and_every_client_is_granted(String algorithm) throws Exception {
        start(algorithm, "bully");
        var holders = new AtomicInteger();
        var maxHolders = new AtomicInteger();
        var workers = new ArrayList<CompletableFuture<Void>>();
        for (AlgorithmNode node : nodes) {
            workers.add(CompletableFuture.runAsync(
                    () -> {
                        for (int i = 0; i < ENTRIES; i++) {
                            var ticket = node.acquire("orders", "worker");
                            ticket.granted().join();
                            maxHolders.accumulateAndGet(holders.incrementAndGet(), Math::max);
                            Thread.onSpinWait();
                            holders.decrementAndGet();
                            node.release("orders", ticket);
                        }
                    },
                    task -> Thread.ofVirtual().start(task)));
        }
        for (var worker : workers) {
            worker.get(30, SECONDS);
        }
        assertThat(maxHolders).hasValue(1);
    }

    @Test
    void clients_of_one_node_are_served_in_order() throws Exception {
        start("central", "bully");
        var node = nodes.get(1);
        var first = node.acquire("orders", "first");
        assertThat(first.granted().get(10, SECONDS)).isEqualTo(1);
        var second = node.acquire("orders", "second");
        var third = node.acquire("orders", "third");
        var status = node.statuses().get(10, SECONDS).getFirst();
        assertThat(status.holder()).extracting(GroupStatus.Client::name).containsExactly("first");
        assertThat(status.waiting()).extracting(GroupStatus.Client::name).containsExactly("second", "third");
        node.release("orders", second);
        node.release("orders", first);
        assertThat(third.granted().get(10, SECONDS)).isEqualTo(2);
        assertThat(second.granted()).isCancelled();
    }
}
