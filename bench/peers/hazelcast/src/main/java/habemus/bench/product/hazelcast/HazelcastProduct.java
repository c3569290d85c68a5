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

    private final RunFolder folder;

    private HazelcastProduct(RunFolder folder) {
        this.folder = folder;
    }

    public static void main(String... args) throws Exception {
        ProductDriver.run(HazelcastProduct::new, args);
    }

    @Override
    public List<NodeProcess> nodes() {
        return IntStream.range(0, folder.nodes()).mapToObj(this::node).toList();
    }

    private NodeProcess node(int node) {
        var arguments = new ArrayList<String>();
        arguments.add(Integer.toString(folder.nodes()));
        for (int i = 0; i < folder.nodes(); i++) {
            arguments.add(Integer.toString(folder.port((node + i) % folder.nodes(), CLIENTS)));
        }
        return new NodeProcess(
                folder.javaCommand(OPTIONS, HazelcastMember.class.getName(), arguments), folder.port(node, CLIENTS));
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
        config.getNetworkConfig().setAddresses(folder.addresses(CLIENTS));
        return HazelcastClient.newHazelcastClient(config);
    }

    @Override
    public OptionalInt leader() throws ExecutionException, InterruptedException {
        var client = client();
        try {
            for (var member : client.getCluster().getMembers()) {
                var isLeader = client.getExecutorService("leader-query").submitToMember(new LeaderQuery(), member);
                if (isLeader.get()) {
                    return OptionalInt.of(member.getAddress().getPort() - folder.port(0, CLIENTS));
                }
            }
            return OptionalInt.empty();
        } finally {
            client.shutdown();
        }
    }
}
