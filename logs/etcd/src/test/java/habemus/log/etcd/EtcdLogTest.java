package habemus.log.etcd;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import habemus.protocol.NodeId;
import habemus.service.log.EngineConfig;
import habemus.service.log.ReplicatedLog;
import habemus.service.log.ThreeNodeLogContract;
import habemus.service.transport.Member;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract of a log, on a real etcd of three members. */
@Tag("slow")
class EtcdLogTest extends ThreeNodeLogContract {

    private static final AtomicInteger CLUSTERS = new AtomicInteger();
    private static EtcdCluster etcd;

    private final String cluster = "test" + CLUSTERS.incrementAndGet();

    @BeforeAll
    static void startEtcd() {
        assumeTrue(EtcdCluster.isInstalled(), "etcd-server is not installed");
        etcd = EtcdCluster.start(3);
    }

    @AfterAll
    static void stopEtcd() {
        if (etcd != null) {
            etcd.close();
        }
    }

    @Override
    protected ReplicatedLog open(List<Member> first, NodeId node, boolean joining) {
        var self = members.stream()
                .filter(member -> member.node().equals(node))
                .findFirst()
                .orElseThrow();
        var engine = new EngineConfig.Engine(etcd.spec(), Optional.empty());
        return new EtcdLogProvider().open(EngineConfig.of(engine, cluster, self, 32 << 20), newLoop(node));
    }

    @Override
    protected void kill(ReplicatedLog log) {
        ((EtcdLog) log).crash();
    }
}
