package habemus.service.server;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.OperationResult;
import habemus.protocol.NodeId;
import habemus.service.algorithm.TestClusters;
import habemus.service.storage.FaultyFileSystem;
import habemus.service.storage.FaultyFileSystem.Failing;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node whose disk fails during an acquire. */
@Tag("slow")
class FailingDiskTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(names = {"WRITING", "SYNCING"})
    void a_node_with_a_failed_disk_grants_nothing_and_stops_with_the_cause(Failing failing) throws Exception {
        var disk = new FaultyFileSystem(folder);
        var config = LockServerConfig.of(TestClusters.members(1), new NodeId(1), Optional.of(disk.folder()));
        try (var node = LockServerNode.start(config);
                var client = RawClient.connectAndHandshake(node.listenAddress())) {
            long session = client.open(1);
            client.acquire(session, 1, "orders");
            assertThat(client.readResult(session, 1)).isInstanceOf(OperationResult.Granted.class);
            disk.fail(failing);
            client.acquire(session, 2, "payroll");
            assertThat(node.failure().get(20, TimeUnit.SECONDS).toString()).contains("cannot write " + folder);
            assertThat(client.isClosed()).isTrue();
            assertThat(node.loop()
                            .table()
                            .sessions()
                            .get(session)
                            .orElseThrow()
                            .acquires()
                            .size())
                    .isEqualTo(1);
        }
    }
}
