package habemus.bench.product;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The folder and ports of the nodes of a product.
 *
 * @param root root folder of the repository
 * @param folder an empty folder on a real disk
 * @param nodes number of nodes
 * @param firstPort the first of four hundred free ports
 */
public record RunFolder(Path root, Path folder, int nodes, int firstPort) {

    /** JVM options of all nodes that are JVMs, so that all have the same heap. */
    public static final List<String> NODE_JVM_OPTIONS = List.of("-Xms256m", "-Xmx512m");

    private static final int PORT_COUNT = 400;
    private static final int FIRST_PORT = 21_000;
    private static final int LAST_PORT = 32_000; // the system assigns higher ports to clients

    /** Empties the folder. */
    static RunFolder prepare(Path root, Path folder, int nodes) throws IOException {
        remove(folder);
        Files.createDirectories(folder);
        return new RunFolder(root, folder, nodes, freePorts());
    }

    private static int freePorts() {
        return IntStream.iterate(FIRST_PORT, port -> port < LAST_PORT, port -> port + PORT_COUNT)
                .filter(first -> IntStream.range(first, first + PORT_COUNT).allMatch(RunFolder::isFree))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "no " + PORT_COUNT + " consecutive free ports from " + FIRST_PORT + " to " + LAST_PORT));
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    static void remove(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (var files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** A port of a node. @param purpose distinguishes several ports of one node */
    public int port(int node, int purpose) {
        return firstPort + 10 * purpose + node;
    }

    /** {@code 127.0.0.1:port} of each node. */
    public List<String> addresses(int purpose) {
        return IntStream.range(0, nodes)
                .mapToObj(node -> "127.0.0.1:" + port(node, purpose))
                .toList();
    }

    public Path folder(int node) throws IOException {
        return Files.createDirectories(folder.resolve("n" + node));
    }

    /** The command of a JVM with the class path of this one. */
    public List<String> javaCommand(List<String> options, String main, List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(NODE_JVM_OPTIONS);
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        command.addAll(arguments);
        return command;
    }
}
