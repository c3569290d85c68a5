package habemus.service.session;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.fenced.Answer;
import habemus.protocol.NodeId;
import habemus.service.disk.FrailDisk;
import habemus.service.disk.FrailDisk.Failing;
import habemus.service.node.Clusters;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node whose disk fails while somebody asks for something. */
class FailingDiskTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(names = {"WRITING", "SYNCING"})
    void grants_nothing_says_why_and_sends_its_clients_away(Failing what) throws Exception {
        var disk = new FrailDisk(folder);
        var config = FencedConfig.of(Clusters.members(1), new NodeId(1), Optional.of(disk.folder()));
        try (var node = FencedNode.start(config);
                var client = RawClient.welcomeAt(node.address())) {
            long session = client.open(1);
            client.acquire(session, 1, "orders");
            assertThat(client.answer(session, 1)).isInstanceOf(Answer.Granted.class);
            disk.fail(what);
            client.acquire(session, 2, "payroll");
            assertThat(node.failure().get(20, TimeUnit.SECONDS).toString()).contains("cannot write to " + folder);
            assertThat(client.isClosed()).isTrue();
            assertThat(node.reception()
                            .table()
                            .sessions()
                            .get(session)
                            .orElseThrow()
                            .bids()
                            .size())
                    .isEqualTo(1);
        }
    }
}
