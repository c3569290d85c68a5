package habemus.bench.product.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.bench.product.NodeProcess;
import habemus.bench.product.Product;
import habemus.bench.product.ProductDriver;
import habemus.bench.product.RunFolder;
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

/** etcd with its lock service, which grants in request order. Each client keeps its own lease alive. */
final class EtcdProduct implements Product {

    private static final int CLIENTS = 0;
    private static final int PEERS = 1;
    private static final long LEASE_SECONDS = 60;
    private static final long TIMEOUT_SECONDS = 60;

    private final RunFolder folder;

    EtcdProduct(RunFolder folder) {
        this.folder = folder;
    }

    public static void main(String... args) throws Exception {
        ProductDriver.run(EtcdProduct::new, args);
    }

    @Override
    public List<NodeProcess> nodes() throws IOException {
        var cluster = IntStream.range(0, folder.nodes())
                .mapToObj(i -> "n" + i + "=" + url(i, PEERS))
                .collect(Collectors.joining(","));
        var nodeProcesses = new ArrayList<NodeProcess>();
        for (int i = 0; i < folder.nodes(); i++) {
            var command = new ArrayList<>(List.of("etcd", "--name", "n" + i, "--log-level", "warn"));
            command.addAll(
                    List.of("--data-dir", folder.folder(i).resolve("data").toString()));
            command.addAll(
                    List.of("--listen-client-urls", url(i, CLIENTS), "--advertise-client-urls", url(i, CLIENTS)));
            command.addAll(
                    List.of("--listen-peer-urls", url(i, PEERS), "--initial-advertise-peer-urls", url(i, PEERS)));
            command.addAll(List.of("--initial-cluster", cluster, "--initial-cluster-state", "new"));
            nodeProcesses.add(new NodeProcess(command, folder.port(i, CLIENTS)));
        }
        return nodeProcesses;
    }

    /** {@code 127.0.0.1:port} of each node. */
    List<String> clientAddresses() {
        return folder.addresses(CLIENTS);
    }

    private String url(int node, int which) {
        return "http://127.0.0.1:" + folder.port(node, which);
    }

    @Override
    public Session connect() {
        var client = client();
        var alive = new ConcurrentLinkedQueue<CloseableClient>();
        return new Session() {
            @Override
            public Lock lock(String name) throws Exception {
                var leases = client.getLeaseClient();
                long lease = leases.grant(LEASE_SECONDS)
                        .get(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                        .getID();
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
                .endpoints(IntStream.range(0, folder.nodes())
                        .mapToObj(i -> url(i, CLIENTS))
                        .toArray(String[]::new))
                .build();
    }

    private static Lock lockWith(Client client, long lease, ByteSequence name) {
        var locks = client.getLockClient();
        return () -> {
            var key = locks.lock(name, lease)
                    .get(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    .getKey();
            return () -> locks.unlock(key).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        };
    }

    @Override
    public OptionalInt leader() throws ExecutionException, InterruptedException, TimeoutException {
        try (var client = client()) {
            for (int i = 0; i < folder.nodes(); i++) {
                var status = client.getMaintenanceClient().statusMember(url(i, CLIENTS));
                var member = status.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
                if (member.getLeader() == member.getHeader().getMemberId()) {
                    return OptionalInt.of(i);
                }
            }
            return OptionalInt.empty();
        }
    }
}
