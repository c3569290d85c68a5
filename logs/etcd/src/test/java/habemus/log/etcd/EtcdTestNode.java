package habemus.log.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import habemus.protocol.NodeId;
import habemus.service.log.EngineConfig;
import habemus.service.log.RecordingStateMachine;
import habemus.service.log.ReplicatedLogContract;
import habemus.service.transport.Member;
import habemus.service.transport.NettyEventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A node with nothing but a log on etcd. */
final class EtcdTestNode implements AutoCloseable {

    private final NettyEventLoop loop;
    final EtcdLog log;
    final RecordingStateMachine stateMachine = new RecordingStateMachine();

    /** Starts the node, or fails as {@link EtcdLog#start} does. */
    EtcdTestNode(int number, String spec) {
        this(number, spec, Duration.ofSeconds(10));
    }

    EtcdTestNode(int number, String spec, Duration proposalTimeout) {
        loop = new NettyEventLoop("log-n" + number);
        var self =
                new Member(new NodeId(number), new InetSocketAddress(InetAddress.getLoopbackAddress(), 7_600 + number));
        var engine = new EngineConfig.Engine(spec, Optional.empty());
        var config = EngineConfig.of(engine, "test", self, 32 << 20).withProposalTimeout(proposalTimeout);
        log = (EtcdLog) new EtcdLogProvider().open(config, loop);
        try {
            log.start(stateMachine);
        } catch (RuntimeException failed) {
            close();
            throw failed;
        }
    }

    CompletableFuture<Void> send(String line) {
        return log.propose(line.getBytes(UTF_8));
    }

    void propose(String line) throws Exception {
        send(line).get(30, SECONDS);
    }

    List<String> entries() {
        return stateMachine.entries();
    }

    void awaitEntries(List<String> lines) {
        ReplicatedLogContract.await(() -> entries().equals(lines));
    }

    void awaitLeader() {
        ReplicatedLogContract.await(() -> stateMachine.leader().isPresent());
    }

    void awaitProblem(String text) {
        ReplicatedLogContract.await(() ->
                log.health().problem().filter(problem -> problem.contains(text)).isPresent());
    }

    String awaitFailure() throws Exception {
        return log.failure().get(30, SECONDS).getMessage();
    }

    @Override
    public void close() {
        log.close();
        loop.close();
    }
}
