package habemus.log.etcd;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import habemus.client.EmbeddedNode;
import habemus.client.Habemus;
import habemus.service.log.IndeterminateOutcomeException;
import habemus.service.log.LogDivergedException;
import habemus.service.log.ProposalRejectedException;
import habemus.service.log.ReplicatedLogContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Members of a real etcd are killed, paused, full, compacted and restored. */
@Tag("slow")
class EtcdFaultsTest {

    private final List<AutoCloseable> resources = new ArrayList<>();

    @BeforeEach
    void requireEtcd() {
        assumeTrue(EtcdCluster.isInstalled(), "etcd-server is not installed");
    }

    @AfterEach
    void close() throws Exception {
        for (var resource : resources.reversed()) {
            resource.close();
        }
    }

    private <T extends AutoCloseable> T closed(T resource) {
        resources.add(resource);
        return resource;
    }

    private EtcdCluster etcd(int members, String... options) {
        return closed(EtcdCluster.start(members, "http", List.of(options)));
    }

    private EtcdTestNode node(int number, EtcdCluster etcd) {
        return closed(new EtcdTestNode(number, etcd.spec()));
    }

    @Test
    void nothing_acknowledged_is_lost_or_twice_while_members_of_etcd_are_killed() throws Exception {
        var etcd = etcd(3);
        var nodes = List.of(node(1, etcd), node(2, etcd));
        var acknowledged = new ArrayList<String>();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 60; i++) {
                if (i == 20) {
                    etcd.kill(round);
                }
                if (i == 50) {
                    etcd.restart(round);
                }
                var line = round + "-" + i;
                try {
                    nodes.get(i % 2).propose(line);
                    acknowledged.add(line);
                } catch (ExecutionException unknown) {
                    assertThat(unknown.getCause())
                            .isInstanceOfAny(IndeterminateOutcomeException.class, ProposalRejectedException.class);
                }
            }
        }
        nodes.getFirst().propose("last");
        var entries = nodes.getFirst().entries();
        assertThat(entries).doesNotHaveDuplicates().containsSubsequence(acknowledged);
        assertThat(acknowledged).hasSizeGreaterThan(150);
        nodes.getLast().awaitEntries(entries);
    }

    @Test
    void without_a_quorum_of_etcd_proposals_fail_and_the_node_goes_on_afterwards() throws Exception {
        var etcd = etcd(3);
        var node = closed(new EtcdTestNode(1, etcd.spec(), Duration.ofSeconds(2)));
        node.awaitLeader();
        node.propose("a");
        etcd.kill(0);
        etcd.kill(1);
        var lost = node.send("b");
        assertThatThrownBy(() -> lost.get(30, SECONDS)).hasCauseInstanceOf(IndeterminateOutcomeException.class);
        var never = node.send("c");
        assertThatThrownBy(() -> never.get(30, SECONDS))
                .hasCauseInstanceOf(ProposalRejectedException.class)
                .hasMessageContaining("is not available")
                .hasMessageContaining("hint: ");
        assertThat(node.log.health().problem()).isPresent();
        ReplicatedLogContract.await(() -> node.stateMachine.leader().isEmpty());
        etcd.restart(0);
        node.awaitLeader();
        node.propose("d");
        assertThat(node.entries()).startsWith("a").endsWith("d").doesNotContain("c");
        ReplicatedLogContract.await(() -> node.log.health().problem().isEmpty());
    }

    @Test
    void a_member_of_etcd_that_hangs_is_left() throws Exception {
        var etcd = etcd(3);
        var node = node(1, etcd);
        node.propose("a");
        etcd.signal(0, "STOP"); // the first one in the specification is in use
        try {
            node.propose("b");
            assertThat(node.entries()).containsExactly("a", "b");
        } finally {
            etcd.signal(0, "CONT");
        }
    }

    @Test
    void a_node_behind_the_compacted_history_reads_the_snapshot() throws Exception {
        var etcd = etcd(3);
        var writer = node(1, etcd);
        writer.awaitLeader();
        var slow = closed(new EtcdTestNode(2, "etcd:127.0.0.1:" + etcd.clientPort(2)));
        var lines = new ArrayList<String>();
        writer.propose("first");
        lines.add("first");
        slow.awaitEntries(lines);
        etcd.signal(2, "STOP");
        try {
            for (int i = 0; i < 50; i++) {
                writer.propose("a" + i);
                lines.add("a" + i);
            }
            writer.log.compact().get(10, SECONDS);
            etcd.etcdctl("compact", etcd.revision());
        } finally {
            etcd.signal(2, "CONT");
        }
        slow.awaitEntries(lines);
        slow.propose("back");
        assertThat(slow.entries()).hasSize(52);
    }

    @Test
    void an_etcd_over_its_space_quota_is_named_and_can_be_repaired() throws Exception {
        var etcd = etcd(1, "--quota-backend-bytes", "1000000");
        var node = closed(new EtcdTestNode(1, etcd.spec(), Duration.ofSeconds(2)));
        node.awaitLeader();
        var large = "x".repeat(100_000);
        var failures = new ArrayList<Throwable>();
        while (failures.isEmpty()) {
            try {
                node.propose(large);
            } catch (ExecutionException full) {
                failures.add(full.getCause());
            }
        }
        assertThat(failures.getFirst())
                .hasMessageContaining("over its space quota")
                .hasMessageContaining("hint: etcdctl compact");
        node.awaitProblem("over its space quota");
        etcd.etcdctl("del", "--prefix", "/habemus/test/log/entries/");
        etcd.etcdctl("compact", etcd.revision());
        etcd.etcdctl("defrag");
        etcd.etcdctl("alarm", "disarm");
        node.awaitLeader();
        node.propose("small");
        assertThat(node.entries()).endsWith("small");
    }

    @Test
    void a_second_process_with_the_same_name_stops_the_first() throws Exception {
        var etcd = etcd(1);
        var first = node(1, etcd);
        first.propose("a");
        var second = node(1, etcd);
        second.propose("b");
        var refused = first.send("c");
        assertThat(first.awaitFailure()).contains("another process runs as n1").contains("hint: ");
        assertThatThrownBy(() -> refused.get(30, SECONDS)).isInstanceOf(ExecutionException.class);
        assertThat(second.entries()).containsExactly("a", "b");
    }

    @Test
    void an_etcd_that_went_back_stops_the_node() throws Exception {
        var etcd = etcd(1);
        var node = node(1, etcd);
        node.awaitLeader();
        node.propose("a");
        etcd.copyData(0);
        node.propose("b");
        etcd.kill(0);
        etcd.restoreData(0);
        etcd.restart(0);
        assertThat(node.log.failure().get(30, SECONDS)).isInstanceOf(LogDivergedException.class);
        assertThat(node.awaitFailure()).contains("etcd has lost entries").contains("hint: ");
    }

    @Test
    void a_log_of_a_newer_version_is_refused() {
        var etcd = etcd(1);
        etcd.etcdctl("put", "/habemus/test/identity", "2 something new");
        assertThatThrownBy(() -> new EtcdTestNode(1, etcd.spec()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has format 2 (this version reads 1)")
                .hasMessageContaining("hint: upgrade");
    }

    @Test
    void a_node_with_a_random_name_leaves_no_key_of_its_own() throws Exception {
        var etcd = etcd(1);
        var stays = node(1, etcd);
        stays.awaitLeader();
        try (var habemus = Habemus.embedded(EmbeddedNode.on(etcd.spec() + "?prefix=/"));
                var grant = habemus.lock("orders").acquire()) {
            assertThat(grant.fence()).isPositive();
            assertThat(etcd.etcdctl("get", "--prefix", "--keys-only", "/habemus/"))
                    .contains("/log/members/");
        }
        assertThat(etcd.etcdctl("get", "--prefix", "--keys-only", "/habemus/log/members/"))
                .isBlank();
        assertThat(etcd.etcdctl("get", "--prefix", "--keys-only", "/habemus/writers/"))
                .isBlank();
        assertThat(stays.log.members()).hasSize(1);
    }

    @Test
    void a_removed_node_stops_and_a_leader_cannot_be_removed() throws Exception {
        var etcd = etcd(1);
        var first = node(1, etcd);
        first.awaitLeader();
        var second = node(2, etcd);
        ReplicatedLogContract.await(() -> first.log.members().size() == 2);
        var leader = first.stateMachine.leader().orElseThrow();
        assertThatThrownBy(() -> second.log.removeMember(leader).get(30, SECONDS))
                .hasCauseInstanceOf(ProposalRejectedException.class)
                .hasMessageContaining("cannot remove the leader n1");
        first.log.removeMember(second.log.members().getLast().node()).get(30, SECONDS);
        assertThat(second.awaitFailure()).contains("n2 was removed");
        ReplicatedLogContract.await(() -> first.log.members().size() == 1);
    }
}
