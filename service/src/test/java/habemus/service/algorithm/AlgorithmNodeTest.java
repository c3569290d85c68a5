package habemus.service.algorithm;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three nodes in one process, on real sockets. */
@Execution(ExecutionMode.CONCURRENT)
class AlgorithmNodeTest {

    private static final int ENTRIES = 20;

    private List<AlgorithmNode> algorithmNodes = List.of();

    private void start(String locks, String elections) {
        algorithmNodes = TestClusters.start(3, locks, elections, UnaryOperator.identity());
    }

    @AfterEach
    void stop() {
        algorithmNodes.forEach(AlgorithmNode::close);
    }

    @ParameterizedTest
    @ValueSource(strings = {"central", "ricart-agrawala", "quorum"})
    void never_two_are_inside_and_everybody_gets_in(String algorithm) throws Exception {
        start(algorithm, "bully");
        var inside = new AtomicInteger();
        var most = new AtomicInteger();
        var workers = new ArrayList<CompletableFuture<Void>>();
        for (AlgorithmNode algorithmNode : algorithmNodes) {
            workers.add(CompletableFuture.runAsync(
                    () -> {
                        for (int i = 0; i < ENTRIES; i++) {
                            var ticket = algorithmNode.acquire("orders", "worker");
                            ticket.granted().join();
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            Thread.onSpinWait();
                            inside.decrementAndGet();
                            algorithmNode.release("orders", ticket);
                        }
                    },
                    task -> Thread.ofVirtual().start(task)));
        }
        for (var worker : workers) {
            worker.get(30, SECONDS);
        }
        assertThat(most).hasValue(1);
    }

    @Test
    void clients_of_one_node_are_served_in_order() throws Exception {
        start("central", "bully");
        var algorithmNode = algorithmNodes.get(1);
        var first = algorithmNode.acquire("orders", "first");
        assertThat(first.granted().get(10, SECONDS)).isEqualTo(1);
        var second = algorithmNode.acquire("orders", "second");
        var third = algorithmNode.acquire("orders", "third");
        var groupStatus = algorithmNode.statuses().get(10, SECONDS).getFirst();
        assertThat(groupStatus.holder()).extracting(GroupStatus.Client::name).containsExactly("first");
        assertThat(groupStatus.waiting()).extracting(GroupStatus.Client::name).containsExactly("second", "third");
        algorithmNode.release("orders", second);
        algorithmNode.release("orders", first);
        assertThat(third.granted().get(10, SECONDS)).isEqualTo(2);
        assertThat(second.granted()).isCancelled();
    }
}
