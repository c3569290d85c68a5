package habemus.service.raft;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** The additional contract of a log with three nodes. */
abstract class ThreeNodeLogContract extends ReplicatedLogContract {

    ThreeNodeLogContract() {
        super(3);
    }

    private NodeId other(NodeId... not) {
        return members.stream()
                .map(Member::node)
                .filter(node -> logs.containsKey(node) && !List.of(not).contains(node))
                .findFirst()
                .orElseThrow();
    }

    private void lose(NodeId node) {
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
    void without_a_majority_nothing_is_committed() throws Exception {
        startAll();
        propose(log(1), "a");
        var last = leader();
        lose(other(last));
        lose(other(last));
        var done = logs.get(last).propose("b".getBytes(UTF_8));
        assertThatThrownBy(() -> done.get(30, SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("majority");
        assertThat(stateMachines.get(last).entries()).containsExactly("a");
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

    @Test
    void members_are_added_and_removed_at_run_time() throws Exception {
        startAll();
        propose(log(1), lines("a", 10));
        var fourth = members.get(3);
        assertThatThrownBy(() -> log(1).addMember(fourth).get(30, SECONDS))
                .hasCauseInstanceOf(ProposalRejectedException.class)
                .hasMessageContaining("node is not connected: n4");
        start(fourth.node(), true);
        change(() -> log(2).addMember(fourth));
        await(() -> logs.values().stream().allMatch(log -> log.members().size() == 4));
        assertAllApplied(List.of(lines("a", 10)));
        propose(log(4), "four");

        var gone = other(leader(), fourth.node());
        assertThatThrownBy(() -> log(1).removeMember(leader()).get(30, SECONDS))
                .hasCauseInstanceOf(ProposalRejectedException.class)
                .hasMessageContaining("cannot remove the leader");
        lose(gone);
        change(() -> logs.get(other()).removeMember(gone));
        await(() -> logs.values().stream().allMatch(log -> log.members().size() == 3));

        var lost = other(leader(), fourth.node());
        lose(lost);
        propose(log(4), "two of three");
        lose(fourth.node());
        start(fourth.node(), true);
        assertAllApplied(concat(lines("a", 10), "four", "two of three"));
        await(() -> log(4).members().size() == 3 && log(4).members().contains(fourth));
    }

    /** Retries until no other change is in progress. */
    private static void change(java.util.function.Supplier<CompletableFuture<Void>> how) throws Exception {
        for (int i = 0; ; i++) {
            try {
                how.get().get(30, SECONDS);
                return;
            } catch (ExecutionException early) {
                assertThat(early.getCause())
                        .isInstanceOfAny(ProposalRejectedException.class, IndeterminateOutcomeException.class);
                assertThat(i).as(early.getMessage()).isLessThan(100);
                java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
            }
        }
    }
}
