package habemus.log.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Members of etcd as processes of their own, on loopback, with their data in a temporary folder. */
final class EtcdCluster implements AutoCloseable {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Path folder;
    private final List<Integer> clientPorts;
    private final List<Integer> peerPorts;
    private final String scheme;
    private final List<String> options;
    private final List<Process> processes = new ArrayList<>();

    private EtcdCluster(int members, String scheme, List<String> options) {
        this.scheme = scheme;
        this.options = options;
        try {
            folder = Files.createTempDirectory(parent(), "etcd");
            var ports = freePorts(2 * members);
            clientPorts = ports.subList(0, members);
            peerPorts = ports.subList(members, 2 * members);
            for (int i = 0; i < members; i++) {
                processes.add(launch(i));
            }
            for (int i = 0; i < members; i++) {
                awaitOpen(i);
            }
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** The package etcd-server of Debian. */
    static boolean isInstalled() {
        return Files.isExecutable(Path.of("/usr/bin/etcd"));
    }

    static EtcdCluster start(int members) {
        return new EtcdCluster(members, "http", List.of());
    }

    /** @param options further options of etcd */
    static EtcdCluster start(int members, String scheme, List<String> options) {
        return new EtcdCluster(members, scheme, options);
    }

    /** In memory, where there is such a folder: a process that is killed leaves its files there, too. */
    private static Path parent() {
        var memory = Path.of("/dev/shm");
        return Files.isWritable(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
    }

    private static List<Integer> freePorts(int count) throws IOException {
        var sockets = new ArrayList<ServerSocket>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (var socket : sockets) {
                socket.close();
            }
        }
    }

    private Process launch(int member) throws IOException {
        var cluster = IntStream.range(0, peerPorts.size())
                .mapToObj(i -> "m" + i + "=http://127.0.0.1:" + peerPorts.get(i))
                .collect(Collectors.joining(","));
        var clients = scheme + "://127.0.0.1:" + clientPorts.get(member);
        var peers = "http://127.0.0.1:" + peerPorts.get(member);
        var command = new ArrayList<>(List.of("/usr/bin/etcd", "--name", "m" + member, "--log-level", "warn"));
        command.addAll(List.of("--data-dir", folder.resolve("m" + member).toString()));
        command.addAll(List.of("--listen-client-urls", clients, "--advertise-client-urls", clients));
        command.addAll(List.of("--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers));
        command.addAll(List.of("--initial-cluster", cluster, "--initial-cluster-token", folder.toString()));
        command.addAll(options);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("m" + member + ".log").toFile()))
                .start();
    }

    private void awaitOpen(int member) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), clientPorts.get(member))) {
                assertThat(socket.isConnected()).isTrue();
                return;
            } catch (IOException notYet) {
                assertThat(System.nanoTime())
                        .as("etcd opens its port: " + folder)
                        .isLessThan(deadline);
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    /** Of all members, for {@code --log}. */
    String spec() {
        return "etcd:" + clientPorts.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }

    int members() {
        return processes.size();
    }

    int clientPort(int member) {
        return clientPorts.get(member);
    }

    /** Ends a member with KILL. */
    void kill(int member) {
        processes.get(member).destroyForcibly();
        try {
            assertThat(processes.get(member).waitFor(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    void restart(int member) {
        try {
            processes.set(member, launch(member));
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** Copies the data of a member while it runs, as a backup. */
    void copyData(int member) {
        run("cp", "-r", data(member), data(member) + ".copy");
    }

    /** Replaces the data of a member that was killed by its copy. */
    void restoreData(int member) {
        run("rm", "-r", data(member));
        run("mv", data(member) + ".copy", data(member));
    }

    private String data(int member) {
        return folder.resolve("m" + member).toString();
    }

    /** Stops a member without closing its connections, or lets it go on. */
    void signal(int member, String signal) {
        run("kill", "-" + signal, String.valueOf(processes.get(member).pid()));
    }

    /** Runs etcdctl at the first member. */
    String etcdctl(String... arguments) {
        var command = new ArrayList<>(List.of("etcdctl", "--endpoints", "127.0.0.1:" + clientPorts.getFirst()));
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new));
    }

    /** The current revision. */
    String revision() {
        return etcdctl("get", "-", "-w", "fields")
                .lines()
                .filter(line -> line.startsWith("\"Revision\""))
                .findFirst()
                .orElseThrow()
                .replaceAll("\\D", "");
    }

    private static String run(String... command) {
        try {
            var builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().put("ETCDCTL_API", "3");
            var process = builder.start();
            var output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
            return output;
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    Path folder() {
        return folder;
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        for (int i = 0; i < processes.size(); i++) {
            kill(i);
        }
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException ignored) {
            // a temporary folder
        }
    }
}
