package habemus.peers.hazelcast;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import habemus.peers.Drive;
import habemus.peers.Node;
import habemus.peers.Peer;
import habemus.peers.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;

/** Hazelcast with its fenced lock, which serves in the order of asking. It keeps nothing on disk. */
final class HazelcastPeer implements Peer {

    private static final int CLIENTS = 0;
    private static final List<String> OPTIONS =
            List.of("-Dhazelcast.logging.type=none", "-Dhazelcast.phone.home.enabled=false");

    private final Site site;

    private HazelcastPeer(Site site) {
        this.site = site;
    }

    public static void main(String... args) throws Exception {
        Drive.run(HazelcastPeer::new, args);
    }

    @Override
    public List<Node> nodes() {
        return IntStream.range(0, site.nodes()).mapToObj(this::node).toList();
    }

    private Node node(int node) {
        var arguments = new ArrayList<String>();
        arguments.add(Integer.toString(site.nodes()));
        for (int i = 0; i < site.nodes(); i++) {
            arguments.add(Integer.toString(site.port((node + i) % site.nodes(), CLIENTS)));
        }
        return new Node(site.java(OPTIONS, Member.class.getName(), arguments), site.port(node, CLIENTS));
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
        var config = new ClientConfig().setClusterName(Member.CLUSTER);
        config.setProperty("hazelcast.logging.type", "none");
        config.getNetworkConfig().setAddresses(site.addresses(CLIENTS));
        return HazelcastClient.newHazelcastClient(config);
    }

    @Override
    public OptionalInt leader() throws ExecutionException, InterruptedException {
        var client = client();
        try {
            for (var member : client.getCluster().getMembers()) {
                var asked = client.getExecutorService("who-leads").submitToMember(new WhoLeads(), member);
                if (asked.get()) {
                    return OptionalInt.of(member.getAddress().getPort() - site.port(0, CLIENTS));
                }
            }
            return OptionalInt.empty();
        } finally {
            client.shutdown();
        }
    }
}
