package habemus.service.server;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.protocol.NodeId;
import habemus.service.algorithm.TestClusters;
import habemus.service.recording.ClusterRecording;
import habemus.service.recording.RecordingValidator;
import habemus.service.recording.ValidationResult;
import habemus.service.transport.Member;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What real nodes record is accepted. */
@Tag("slow")
class LockServerRecordingTest {

    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(20);

    @TempDir
    private Path folder;

    private final List<Member> members = TestClusters.members(3);
    private final Map<NodeId, LockServerNode> nodes = new TreeMap<>();

    private LockServerNode start(Member member) {
        var data = Optional.of(folder.resolve(member.node().toString()));
        return LockServerNode.start(
                LockServerConfig.of(members, member.node(), data).withTraceFolder(folder.resolve("traces")));
    }

    @AfterEach
    void stopAll() {
        nodes.values().forEach(LockServerNode::close);
    }

    private LockServerNode leader() {
        long end = System.nanoTime() + TIMEOUT_NANOS;
        while (System.nanoTime() < end) {
            for (LockServerNode node : nodes.values()) {
                if (node.loop().leader().equals(Optional.of(node.config().self()))) {
                    return node;
                }
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        throw new AssertionError("no leader");
    }

    /** A client at the leader holds and releases a lock several times. */
    private void useLock(long nonce) {
        try (var client = RawClient.connectAndHandshake(leader().listenAddress())) {
            long session = client.open(nonce);
            for (int number = 1; number < 20; number += 2) {
                client.acquire(session, number, "orders");
                assertThat(client.readResult(session, number)).isInstanceOf(OperationResult.Granted.class);
                client.submit(session, number + 1, new Operation.Release(number));
                client.readResult(session, number + 1);
            }
        }
    }

    @Test
    void the_recording_of_a_cluster_is_accepted_over_restarts_and_snapshots() {
        members.stream()
                .map(member -> CompletableFuture.supplyAsync(
                        () -> start(member), task -> Thread.ofVirtual().start(task)))
                .toList()
                .forEach(starting -> nodes.put(starting.join().config().self(), starting.join()));
        useLock(1);
        var first = leader();
        first.log().compact().join();
        nodes.remove(first.config().self()).close();
        useLock(2);
        nodes.put(first.config().self(), start(first.config().selfMember()));
        useLock(3);
        nodes.values().forEach(LockServerNode::close);
        var run = validate();
        assertThat(run.isAccepted()).as(run.toString()).isTrue();
        assertThat(run.nodes())
                .extracting(node -> node.node().equals(first.config().self()) ? node.starts() - 1 : node.starts())
                .containsExactly(1, 1, 1);
        assertThat(run.grants()).isGreaterThanOrEqualTo(30);
    }

    private ValidationResult validate() {
        return RecordingValidator.validate(
                ClusterRecording.in(List.of(folder.resolve("traces"))).getFirst(), (read, total) -> {});
    }
}
