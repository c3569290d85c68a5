package habemus.service.raft;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.NodeId;
import habemus.service.algorithm.Certificates;
import habemus.service.algorithm.TestClusters;
import habemus.service.log.ProposalRejectedException;
import habemus.service.log.RecordingStateMachine;
import habemus.service.log.ReplicatedLog;
import habemus.service.log.ReplicatedLogContract;
import habemus.service.metrics.NodeMetrics;
import habemus.service.transport.Member;
import habemus.service.transport.NettyEventLoop;
import habemus.service.transport.TransportSecurity;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A log whose nodes authenticate each other by certificates. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class SecuredLogTest {

    @TempDir
    private static Path keys;

    private static Certificates certificates;

    private final List<Member> members = TestClusters.members(3);
    private final List<ReplicatedLog> logs = new ArrayList<>();
    private final List<NettyEventLoop> loops = new ArrayList<>();
    private final List<RecordingStateMachine> stateMachines = new ArrayList<>();

    @TempDir
    private Path folder;

    @BeforeAll
    static void certificates() throws IOException, InterruptedException {
        certificates = new Certificates(keys, "n1", "n2", "n3").make("stranger");
    }

    @AfterEach
    void close() {
        logs.forEach(ReplicatedLog::close);
        loops.forEach(NettyEventLoop::close);
    }

    /** Starts one node for each argument. */
    private void start(TransportSecurity... transportSecurity) {
        var starting = new ArrayList<CompletableFuture<Void>>();
        for (int i = 0; i < transportSecurity.length; i++) {
            var node = new NodeId(i + 1);
            loops.add(new NettyEventLoop("log-" + node));
            var config = ReplicatedLogConfig.of(members, node, folder.resolve(node.toString()))
                    .withSecurity(transportSecurity[i])
                    .withProposalTimeout(Duration.ofSeconds(2));
            var log = RaftLog.open(config, loops.get(i), LogRecorder.NONE, new NodeMetrics());
            var stateMachine = new RecordingStateMachine();
            logs.add(log);
            stateMachines.add(stateMachine);
            starting.add(CompletableFuture.runAsync(
                    () -> log.start(stateMachine), task -> Thread.ofPlatform().start(task)));
        }
        starting.forEach(CompletableFuture::join);
    }

    private void propose(int node, String line) throws Exception {
        for (int tries = 0; ; tries++) {
            try {
                logs.get(node - 1).propose(line.getBytes(UTF_8)).get(30, SECONDS);
                return;
            } catch (ExecutionException early) {
                assertThat(early).as("not committed").hasCauseInstanceOf(ProposalRejectedException.class);
                assertThat(tries).as(early.getMessage()).isLessThan(5);
            }
        }
    }

    /** A cluster forms only with all of its members. */
    private void assertNotFormed() {
        assertThatThrownBy(() -> logs.getFirst().propose("a".getBytes(UTF_8)).get(30, SECONDS))
                .hasCauseInstanceOf(ProposalRejectedException.class)
                .hasMessageContaining("no leader");
        assertThat(logs).allSatisfy(log -> assertThat(log.term()).isZero());
    }

    @Test
    void nodes_with_certificates_commit() throws Exception {
        start(certificates.of("n1"), certificates.of("n2"), certificates.of("n3"));
        propose(1, "a");
        propose(3, "b");
        ReplicatedLogContract.await(() -> stateMachines.stream()
                .allMatch(stateMachine -> stateMachine.entries().equals(List.of("a", "b"))));
    }

    @Test
    void a_node_with_the_certificate_of_another_node_cannot_join() {
        start(certificates.of("n1"), certificates.of("n2"), certificates.of("n1"));
        assertNotFormed();
    }

    @Test
    void a_node_with_an_untrusted_certificate_cannot_join() {
        start(certificates.of("n1"), certificates.of("n2"), certificates.of("stranger"));
        assertNotFormed();
    }

    @Test
    void a_node_without_a_certificate_cannot_join() {
        start(certificates.of("n1"), certificates.of("n2"), new TransportSecurity.None());
        assertNotFormed();
    }
}
