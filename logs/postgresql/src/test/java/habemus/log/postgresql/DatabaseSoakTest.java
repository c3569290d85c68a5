package habemus.log.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.harness.history.GuardedResource;
import habemus.harness.history.HistoryChecker;
import habemus.harness.history.HistoryEvent;
import habemus.harness.history.HistoryFile;
import habemus.harness.soak.SoakClient;
import habemus.protocol.NodeId;
import habemus.service.log.EngineConfig;
import habemus.service.log.ReplicatedLogContract;
import habemus.service.server.LockServerConfig;
import habemus.service.server.LockServerNode;
import habemus.service.transport.Member;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Clients of three nodes while the database and nodes are killed. The checker of the soak checks their history. */
@Tag("slow")
@Timeout(180)
@EnabledIf("habemus.log.postgresql.PostgresLogTest#isInstalled")
class DatabaseSoakTest {

    private static final int CLIENTS = 3;
    private static final int DATABASE_KILLS = 2;
    private static final int GRANTS_BETWEEN_KILLS = 40;

    @TempDir
    private Path folder;

    private final List<LockServerNode> nodes = new ArrayList<>();

    private void startNode(String url, int number) {
        var self = new Member(
                new NodeId(number), new InetSocketAddress(InetAddress.getLoopbackAddress(), PostgresServer.freePort()));
        var config = LockServerConfig.of(List.of(self), self.node(), Optional.empty());
        var client = new InetSocketAddress(InetAddress.getLoopbackAddress(), PostgresServer.freePort());
        nodes.add(LockServerNode.start(config.withAddresses(client, config.httpAddress())
                .withEngine(new EngineConfig.Engine(url, Optional.empty()))));
    }

    private List<HistoryEvent> history() {
        return HistoryFile.readAll(folder);
    }

    private long grants() {
        return history().stream()
                .filter(event -> event.kind() == HistoryEvent.Kind.GRANTED)
                .count();
    }

    private void awaitMoreGrants() {
        long enough = grants() + GRANTS_BETWEEN_KILLS;
        ReplicatedLogContract.await(() -> grants() >= enough);
    }

    @Test
    void no_guarantee_is_violated_while_the_database_and_nodes_are_killed() throws Exception {
        try (var server = PostgresServer.start();
                var resource = new GuardedResource("127.0.0.1")) {
            var url = server.newSchema("soak");
            for (int node = 1; node <= 3; node++) {
                startNode(url, node);
            }
            var inputs = new ArrayList<PipedOutputStream>();
            var running = new ArrayList<CompletableFuture<Void>>();
            for (int client = 0; client < CLIENTS; client++) {
                var input = new PipedOutputStream();
                inputs.add(input);
                running.add(start(client, new PipedInputStream(input), resource));
            }
            for (int i = 0; i < DATABASE_KILLS; i++) {
                awaitMoreGrants();
                server.kill();
                server.startAgain();
            }
            awaitMoreGrants();
            nodes.removeFirst().close();
            awaitMoreGrants();
            for (var input : inputs) {
                input.close();
            }
            CompletableFuture.allOf(running.toArray(CompletableFuture<?>[]::new))
                    .get(60, TimeUnit.SECONDS);
            assertThat(HistoryChecker.check(history(), resource.writes()).violations())
                    .isEmpty();
        } finally {
            nodes.forEach(LockServerNode::close);
        }
    }

    private CompletableFuture<Void> start(int number, PipedInputStream input, GuardedResource resource) {
        var endpoints = nodes.stream().map(LockServerNode::clientAddress).collect(Collectors.joining(","));
        var config = new SoakClient.Config(
                "client-" + number,
                endpoints,
                resource.address(),
                folder.resolve("client-" + number + ".history"),
                number);
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        SoakClient.run(config, input, new PrintStream(PrintStream.nullOutputStream(), true, UTF_8));
                    } catch (InterruptedException stop) {
                        Thread.currentThread().interrupt();
                    }
                },
                task -> Thread.ofPlatform().daemon().start(task));
    }
}
