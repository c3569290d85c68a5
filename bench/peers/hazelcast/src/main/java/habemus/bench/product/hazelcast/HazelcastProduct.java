package habemus.bench.product.hazelcast;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import habemus.bench.product.NodeProcess;
import habemus.bench.product.Product;
import habemus.bench.product.ProductDriver;
import habemus.bench.product.RunFolder;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;

/** Hazelcast with its fenced lock, which grants in request order. It stores nothing on disk. */
final class HazelcastProduct implements Product {

    private static final int CLIENTS = 0;
    private static final List<String> OPTIONS =
            List.of("-Dhazelcast.logging.type=none", "-Dhazelcast.phone.home.enabled=false");

    private final RunFolder runFolder;

    private HazelcastProduct(RunFolder runFolder) {
        this.runFolder = runFolder;
    }

    public static void main(String... args) throws Exception {
        ProductDriver.run(HazelcastProduct::new, args);
    }

    @Override
    public List<NodeProcess> nodes() {
        return IntStream.range(0, runFolder.nodes()).mapToObj(this::node).toList();
    }

    private NodeProcess node(int node) {
        var arguments = new ArrayList<String>();
        arguments.add(Integer.toString(runFolder.nodes()));
        for (int i = 0; i < runFolder.nodes(); i++) {
            arguments.add(Integer.toString(runFolder.port((node + i) % runFolder.nodes(), CLIENTS)));
        }
        return new NodeProcess(
                runFolder.javaCommand(OPTIONS, HazelcastMember.class.getName(), arguments),
                runFolder.port(node, CLIENTS));
    }

    @Override
    public Session connect() {
        var client = client();
        return new Session() {
            @Override
            public Lock lock(String name) {
                var lock = client.getCPSubsystem().getLock(name);
                return () -> {
                    lock.lock();
                    return lock::unlock;
                };
            }

            @Override
            public void close() {
                client.shutdown();
            }
        };
    }

    private HazelcastInstance client() {
        var config = new ClientConfig().setClusterName(HazelcastMember.CLUSTER);
        config.setProperty("hazelcast.logging.type", "none");
        config.getNetworkConfig().setAddresses(runFolder.addresses(CLIENTS));
        return HazelcastClient.newHazelcastClient(config);
    }

    @Override
    public OptionalInt leader() throws ExecutionException, InterruptedException {
        var client = client();
        try {
            for (var member : client.getCluster().getMembers()) {
                var isLeader = client.getExecutorService("leader-query").submitToMember(new LeaderQuery(), member);
                if (isLeader.get()) {
                    return OptionalInt.of(member.getAddress().getPort() - runFolder.port(0, CLIENTS));
                }
            }
            return OptionalInt.empty();
        } finally {
            client.shutdown();
        }
    }
}
