package habemus.bench.product.zookeeper;

import static java.nio.charset.StandardCharsets.US_ASCII;

import habemus.bench.product.NodeProcess;
import habemus.bench.product.Product;
import habemus.bench.product.ProductDriver;
import habemus.bench.product.RunFolder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** ZooKeeper with Curator's {@link InterProcessMutex}, which grants in request order. */
final class ZooKeeperProduct implements Product {

    private static final int CLIENTS = 0;
    private static final int FOLLOWERS = 1;
    private static final int ELECTIONS = 2;
    private static final int SESSION_TIMEOUT_MILLIS = 30_000;
    private static final int CONNECTION_TIMEOUT_MILLIS = 15_000;

    private final RunFolder runFolder;

    private ZooKeeperProduct(RunFolder runFolder) {
        this.runFolder = runFolder;
    }

    public static void main(String... args) throws Exception {
        ProductDriver.run(ZooKeeperProduct::new, args);
    }

    @Override
    public List<NodeProcess> nodes() throws IOException {
        var nodeProcesses = new ArrayList<NodeProcess>();
        for (int i = 0; i < runFolder.nodes(); i++) {
            var options = List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
            var main = QuorumPeerMain.class.getName();
            nodeProcesses.add(new NodeProcess(
                    runFolder.javaCommand(options, main, List.of(configure(i).toString())),
                    runFolder.port(i, CLIENTS)));
        }
        return nodeProcesses;
    }

    private Path configure(int node) throws IOException {
        var folder = runFolder.folder(node);
        Files.writeString(folder.resolve("myid"), Integer.toString(node + 1));
        var members = IntStream.range(0, runFolder.nodes())
                .mapToObj(i -> "server.%d=127.0.0.1:%d:%d%n"
                        .formatted(i + 1, runFolder.port(i, FOLLOWERS), runFolder.port(i, ELECTIONS)))
                .collect(Collectors.joining());
        return Files.writeString(
                folder.resolve("zoo.cfg"), """
                tickTime=2000
                initLimit=10
                syncLimit=5
                dataDir=%s
                clientPort=%d
                clientPortAddress=127.0.0.1
                admin.enableServer=false
                maxClientCnxns=0
                %s""".formatted(folder, runFolder.port(node, CLIENTS), members));
    }

    @Override
    public Session connect() throws InterruptedException {
        var addresses = String.join(",", runFolder.addresses(CLIENTS));
        var client = CuratorFrameworkFactory.newClient(
                addresses, SESSION_TIMEOUT_MILLIS, CONNECTION_TIMEOUT_MILLIS, new RetryNTimes(1_000, 20));
        client.start();
        client.blockUntilConnected();
        return new Session() {
            @Override
            public Lock lock(String name) {
                return mutex(client, name);
            }

            @Override
            public void close() {
                client.close();
            }
        };
    }

    private static Lock mutex(CuratorFramework client, String name) {
        var mutex = new InterProcessMutex(client, "/locks/" + name);
        return () -> {
            mutex.acquire();
            return mutex::release;
        };
    }

    @Override
    public OptionalInt leader() {
        return IntStream.range(0, runFolder.nodes())
                .filter(node -> serverStatus(runFolder.port(node, CLIENTS)).contains("Mode: leader"))
                .findFirst();
    }

    private static String serverStatus(int port) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write("srvr".getBytes(US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), US_ASCII);
        } catch (IOException down) {
            return "";
        }
    }
}
