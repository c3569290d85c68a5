package habemus.service.node;

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
class NodeTest {

    private static final int ENTRIES = 20;

    private List<Node> nodes = List.of();

    private void start(String locks, String elections) {
        nodes = Clusters.start(3, locks, elections, UnaryOperator.identity());
    }

    @AfterEach
    void stop() {
        nodes.forEach(Node::close);
    }

    @ParameterizedTest
    @ValueSource(strings = {"central", "ricart-agrawala", "quorum"})
    void never_two_are_inside_and_everybody_gets_in(String algorithm) throws Exception {
        start(algorithm, "bully");
        var inside = new AtomicInteger();
        var most = new AtomicInteger();
        var workers = new ArrayList<CompletableFuture<Void>>();
        for (Node node : nodes) {
            workers.add(CompletableFuture.runAsync(
                    () -> {
                        for (int i = 0; i < ENTRIES; i++) {
                            var ticket = node.acquire("orders", "worker");
                            ticket.granted().join();
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            Thread.onSpinWait();
                            inside.decrementAndGet();
                            node.release("orders", ticket);
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
        var node = nodes.get(1);
        var first = node.acquire("orders", "first");
        assertThat(first.granted().get(10, SECONDS)).isEqualTo(1);
        var second = node.acquire("orders", "second");
        var third = node.acquire("orders", "third");
        var account = node.accounts().get(10, SECONDS).getFirst();
        assertThat(account.holder()).extracting(Account.Client::name).containsExactly("first");
        assertThat(account.waiting()).extracting(Account.Client::name).containsExactly("second", "third");
        node.release("orders", second);
        node.release("orders", first);
        assertThat(third.granted().get(10, SECONDS)).isEqualTo(2);
        assertThat(second.granted()).isCancelled();
    }
}
