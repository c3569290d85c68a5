package habemus.peers.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.peers.Drive;
import habemus.peers.Node;
import habemus.peers.Peer;
import habemus.peers.Site;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.support.CloseableClient;
import io.etcd.jetcd.support.Observers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** etcd with its own lock service, which serves in the order of asking. A lease for each client, kept alive. */
final class EtcdPeer implements Peer {

    private static final int CLIENTS = 0;
    private static final int PEERS = 1;
    private static final long LEASE = 60; // seconds
    private static final long PATIENCE = 60;

    private final Site site;

    private EtcdPeer(Site site) {
        this.site = site;
    }

    public static void main(String... args) throws Exception {
        Drive.run(EtcdPeer::new, args);
    }

    @Override
    public List<Node> nodes() throws IOException {
        var cluster = IntStream.range(0, site.nodes())
                .mapToObj(i -> "n" + i + "=" + url(i, PEERS))
                .collect(Collectors.joining(","));
        var nodes = new ArrayList<Node>();
        for (int i = 0; i < site.nodes(); i++) {
            var command = new ArrayList<>(List.of("etcd", "--name", "n" + i, "--log-level", "warn"));
            command.addAll(List.of("--data-dir", site.folder(i).resolve("data").toString()));
            command.addAll(
                    List.of("--listen-client-urls", url(i, CLIENTS), "--advertise-client-urls", url(i, CLIENTS)));
            command.addAll(
                    List.of("--listen-peer-urls", url(i, PEERS), "--initial-advertise-peer-urls", url(i, PEERS)));
            command.addAll(List.of("--initial-cluster", cluster, "--initial-cluster-state", "new"));
            nodes.add(new Node(command, site.port(i, CLIENTS)));
        }
        return nodes;
    }

    private String url(int node, int which) {
        return "http://127.0.0.1:" + site.port(node, which);
    }

    @Override
    public Session connect() {
        var client = client();
        var alive = new ConcurrentLinkedQueue<CloseableClient>();
        return new Session() {
            @Override
            public Lock lock(String name) throws Exception {
                var leases = client.getLeaseClient();
                long lease = leases.grant(LEASE).get(PATIENCE, TimeUnit.SECONDS).getID();
                alive.add(leases.keepAlive(lease, Observers.observer(renewed -> {})));
                return lockWith(client, lease, ByteSequence.from(name, UTF_8));
            }

            @Override
            public void close() {
                alive.forEach(CloseableClient::close);
                client.close();
            }
        };
    }

    private Client client() {
        return Client.builder()
                .endpoints(IntStream.range(0, site.nodes())
                        .mapToObj(i -> url(i, CLIENTS))
                        .toArray(String[]::new))
                .build();
    }

    private static Lock lockWith(Client client, long lease, ByteSequence name) {
        var locks = client.getLockClient();
        return () -> {
            var key = locks.lock(name, lease).get(PATIENCE, TimeUnit.SECONDS).getKey();
            return () -> locks.unlock(key).get(PATIENCE, TimeUnit.SECONDS);
        };
    }

    @Override
    public OptionalInt leader() throws ExecutionException, InterruptedException, TimeoutException {
        try (var client = client()) {
            for (int i = 0; i < site.nodes(); i++) {
                var status = client.getMaintenanceClient().statusMember(url(i, CLIENTS));
                var member = status.get(PATIENCE, TimeUnit.SECONDS);
                if (member.getLeader() == member.getHeader().getMemberId()) {
                    return OptionalInt.of(i);
                }
            }
            return OptionalInt.empty();
        }
    }
}
