package habemus.service.raft;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.NodeId;
import habemus.service.algorithm.Certificates;
import habemus.service.algorithm.TestClusters;
import habemus.service.transport.Member;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A log whose nodes keep what they say among themselves. */
@Execution(ExecutionMode.CONCURRENT)
class SecuredLogTest {

    private static final TransportSecurity SECRET = new TransportSecurity.SharedSecret("correct horse");

    @TempDir
    private static Path keys;

    private static Certificates certificates;

    private final List<Member> members = TestClusters.members(3);
    private final List<ReplicatedLog> replicatedLogs = new ArrayList<>();
    private final List<RecordingStateMachine> recordingStateMachines = new ArrayList<>();

    @TempDir
    private Path folder;

    @BeforeAll
    static void certificates() throws IOException, InterruptedException {
        certificates = new Certificates(keys, "n1", "n2").make("stranger");
    }

    @AfterEach
    void close() {
        replicatedLogs.forEach(ReplicatedLog::close);
    }

    /** One node for each. */
    private void start(TransportSecurity... transportSecurity) {
        var starting = new ArrayList<CompletableFuture<Void>>();
        for (int i = 0; i < transportSecurity.length; i++) {
            var node = new NodeId(i + 1);
            var config = ReplicatedLogConfig.of(members, node, folder.resolve(node.toString()))
                    .withSecurity(transportSecurity[i])
                    .withProposalTimeout(Duration.ofSeconds(2));
            var log = new JGroupsRaftLog(config);
            var recordingStateMachine = new RecordingStateMachine();
            replicatedLogs.add(log);
            recordingStateMachines.add(recordingStateMachine);
            starting.add(CompletableFuture.runAsync(
                    () -> log.start(recordingStateMachine),
                    task -> Thread.ofPlatform().start(task)));
        }
        starting.forEach(CompletableFuture::join);
    }

    private void propose(int node, String line) throws Exception {
        for (int tries = 0; ; tries++) {
            try {
                replicatedLogs.get(node - 1).propose(line.getBytes(UTF_8)).get(30, SECONDS);
                return;
            } catch (ExecutionException early) {
                assertThat(early).as("it was not committed").hasCauseInstanceOf(ProposalRejectedException.class);
                assertThat(tries).as(early.getMessage()).isLessThan(5);
            }
        }
    }

    /** The first two go on without the third, who learns nothing. */
    private void assertThirdIsOut() throws Exception {
        propose(1, "a");
        propose(2, "b");
        assertThatThrownBy(
                        () -> replicatedLogs.get(2).propose("c".getBytes(UTF_8)).get(30, SECONDS))
                .hasCauseInstanceOf(ProposalRejectedException.class)
                .hasMessageContaining("no leader");
        propose(1, "d");
        ReplicatedLogContract.await(
                () -> recordingStateMachines.get(1).entries().equals(List.of("a", "b", "d")));
        assertThat(recordingStateMachines.get(2).entries()).isEmpty();
        assertThat(recordingStateMachines.get(2).leader()).isEmpty();
    }

    @Test
    void with_certificates_all_is_committed() throws Exception {
        start(certificates.of("n1"), certificates.of("n2"), certificates.of("n1"));
        propose(1, "a");
        propose(3, "b");
        ReplicatedLogContract.await(() -> recordingStateMachines.stream()
                .allMatch(
                        recordingStateMachine -> recordingStateMachine.entries().equals(List.of("a", "b"))));
    }

    @Test
    void with_a_secret_all_is_committed() throws Exception {
        start(SECRET, SECRET, SECRET);
        propose(1, "a");
        propose(3, "b");
        ReplicatedLogContract.await(() -> recordingStateMachines.stream()
                .allMatch(
                        recordingStateMachine -> recordingStateMachine.entries().equals(List.of("a", "b"))));
    }

    @Test
    void who_has_another_secret_is_out() throws Exception {
        start(SECRET, SECRET, new TransportSecurity.SharedSecret("battery staple"));
        assertThirdIsOut();
    }

    @Test
    void who_has_no_secret_is_out() throws Exception {
        start(SECRET, SECRET, new TransportSecurity.None());
        assertThirdIsOut();
    }

    @Test
    void who_has_a_certificate_that_nobody_trusts_is_out() throws Exception {
        start(certificates.of("n1"), certificates.of("n2"), certificates.of("stranger"));
        assertThirdIsOut();
    }

    @Test
    void who_has_no_certificate_is_out() throws Exception {
        start(certificates.of("n1"), certificates.of("n2"), new TransportSecurity.None());
        assertThirdIsOut();
    }
}
