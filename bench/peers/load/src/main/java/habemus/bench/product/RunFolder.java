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
 * Where the nodes of a product run.
 *
 * @param root of the repository
 * @param folder on a real disk, empty
 * @param nodes how many, if the product can have several
 * @param firstPort of four hundred that nobody uses
 */
public record RunFolder(Path root, Path folder, int nodes, int firstPort) {

    /** Of every node that is a JVM: equal room for all. */
    public static final List<String> NODE_JVM_OPTIONS = List.of("-Xms256m", "-Xmx512m");

    private static final int PORT_COUNT = 400;
    private static final int FIRST_PORT = 21_000;
    private static final int LAST_PORT = 32_000; // what is above is given to clients by the system

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
                .orElseThrow(() -> new IllegalStateException("no " + PORT_COUNT + " ports in a row are free"));
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

    /** A port of a node. A node may have several. */
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

    /** A JVM like this one, with the same class path. */
    public List<String> javaCommand(List<String> options, String main, List<String> arguments) {
        var words = new ArrayList<String>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(NODE_JVM_OPTIONS);
        words.addAll(options);
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        words.addAll(arguments);
        return words;
    }
}
