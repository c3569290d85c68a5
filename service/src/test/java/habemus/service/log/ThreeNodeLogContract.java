package habemus.service.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** The additional contract of a log with three nodes. */
public abstract class ThreeNodeLogContract extends ReplicatedLogContract {

    protected ThreeNodeLogContract() {
        super(3);
    }

    protected final NodeId other(NodeId... not) {
        return members.stream()
                .map(Member::node)
                .filter(node -> logs.containsKey(node) && !List.of(not).contains(node))
                .findFirst()
                .orElseThrow();
    }

    protected final void lose(NodeId node) {
        kill(logs.remove(node));
        stateMachines.remove(node);
    }

    @Test
    void a_lost_leader_is_replaced_and_nothing_acknowledged_is_lost() throws Exception {
        startAll();
        var first = leader();
        var proposer = logs.get(other(first));
        var acknowledged = new ArrayList<String>();
        var proposed = new ArrayList<String>();
        for (int i = 0; i < 200; i++) {
            if (i == 100) {
                lose(first);
            }
            proposed.add("a" + i);
            try {
                propose(proposer, "a" + i);
                acknowledged.add("a" + i);
            } catch (ExecutionException unknown) {
                assertThat(unknown.getCause())
                        .isInstanceOfAny(IndeterminateOutcomeException.class, ProposalRejectedException.class);
            }
        }
        assertThat(leader()).isNotEqualTo(first);
        assertThat(acknowledged).hasSizeGreaterThan(150);
        var lines = stateMachines.values().iterator().next().entries();
        assertThat(lines).doesNotHaveDuplicates().containsSubsequence(acknowledged);
        assertThat(proposed).containsAll(lines);
        assertAllApplied(lines);
        start(first, false);
        assertAllApplied(lines);
        propose(logs.get(first), "back");
        assertAllApplied(concat(lines.toArray(String[]::new), "back"));
    }

    @Test
    void a_node_that_was_down_for_long_gets_a_snapshot() throws Exception {
        startAll();
        propose(log(1), lines("a", 10));
        var away = other(leader());
        lose(away);
        propose(logs.get(leader()), lines("b", 500));
        for (var log : logs.values()) {
            log.compact().get(10, SECONDS);
        }
        propose(logs.get(leader()), lines("c", 10));
        start(away, false);
        var all = concat(lines("a", 10), lines("b", 500));
        all.addAll(List.of(lines("c", 10)));
        assertAllApplied(all);
        assertThat(stateMachines.get(away).applied()).isLessThan(all.size());
    }

    @Test
    void a_restarted_node_catches_up_under_load() throws Exception {
        startAll();
        propose(log(1), lines("a", 10));
        var away = other(leader());
        lose(away);
        propose(logs.get(leader()), lines("b", 2_000));
        var leader = logs.get(leader());
        var going = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < 1_000; i++) {
                leader.propose(("c" + i).getBytes(UTF_8)).join();
            }
        });
        start(away, false);
        going.get(30, SECONDS);
        var all = concat(lines("a", 10), lines("b", 2_000));
        for (int i = 0; i < 1_000; i++) {
            all.add("c" + i);
        }
        assertAllApplied(all);
    }
}
