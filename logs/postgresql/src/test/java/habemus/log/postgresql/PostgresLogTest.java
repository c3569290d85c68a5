package habemus.log.postgresql;

import habemus.protocol.NodeId;
import habemus.service.log.EngineConfig;
import habemus.service.log.LogProvider;
import habemus.service.log.ReplicatedLog;
import habemus.service.log.ThreeNodeLogContract;
import habemus.service.transport.Member;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/** The contract of a log, in a real database. */
@Tag("slow")
@EnabledIf("habemus.log.postgresql.PostgresLogTest#isInstalled")
class PostgresLogTest extends ThreeNodeLogContract {

    private static final AtomicInteger SCHEMAS = new AtomicInteger();
    private static PostgresServer server;

    private final String url = server.newSchema("log" + SCHEMAS.incrementAndGet());

    static boolean isInstalled() {
        return PostgresServer.binaries().isPresent();
    }

    @BeforeAll
    static void startServer() {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    protected ReplicatedLog open(List<Member> first, NodeId node, boolean joining) {
        var config = EngineConfig.of(
                        new EngineConfig.Engine(url, Optional.empty()),
                        "habemus",
                        members.get(node.number() - 1),
                        32 << 20)
                .withProposalTimeout(Duration.ofSeconds(3));
        return LogProvider.of(config.engine()).open(config, newLoop(node));
    }

    @Override
    protected void kill(ReplicatedLog log) {
        ((PostgresLog) log).crash();
    }
}
