package habemus.service.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.abort;

import habemus.protocol.NodeId;
import habemus.service.net.Member;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** A network of its own for every node, with wires between them that can be cut. Needs root, ip and nft. */
final class Wires implements AutoCloseable {

    private static final AtomicInteger MADE = new AtomicInteger();
    private static final int PORT = 7600;

    private final int nodes;
    private final String name;
    private final String net;

    /** Ends the test, saying why, where networks cannot be made. */
    Wires(int nodes) {
        this.nodes = nodes;
        int which = MADE.incrementAndGet();
        name = "hb" + ProcessHandle.current().pid() % 100_000 + "x" + which;
        net = "10.77." + (ProcessHandle.current().pid() + which) % 250 + ".";
        try {
            build();
        } catch (IllegalStateException refused) {
            close();
            var why = "NETWORK FAULTS ARE NOT TESTED: namespaces need root, ip and nft: " + refused.getMessage();
            System.getLogger(Wires.class.getName()).log(System.Logger.Level.WARNING, why);
            abort(why);
        }
    }

    private void build() {
        run("ip", "link", "add", name, "type", "bridge");
        run("ip", "link", "set", name, "up");
        for (int i = 1; i <= nodes; i++) {
            run("ip", "netns", "add", name + i);
            run("ip", "link", "add", name + "v" + i, "type", "veth", "peer", "name", "eth0", "netns", name + i);
            run("ip", "link", "set", name + "v" + i, "master", name, "up");
            run("ip", "-n", name + i, "addr", "add", net + i + "/24", "dev", "eth0");
            run("ip", "-n", name + i, "link", "set", "eth0", "up");
            run("ip", "-n", name + i, "link", "set", "lo", "up");
            nft(i, "add", "table", "inet", "cut");
            nft(i, "add", "chain", "inet", "cut", "in", "{ type filter hook input priority 0 ; }");
        }
    }

    List<Member> members() {
        return IntStream.rangeClosed(1, nodes)
                .mapToObj(i -> new Member(new NodeId(i), new InetSocketAddress(net + i, PORT)))
                .toList();
    }

    /** What a command begins with that is to run where this node is. */
    List<String> at(int node) {
        return List.of("ip", "netns", "exec", name + node);
    }

    /** Nothing arrives at a node from another any more. */
    void cut(int from, int to) {
        nft(to, "add", "rule", "inet", "cut", "in", "ip", "saddr", net + from, "drop");
    }

    /** A node hears nobody, and is heard by nobody. */
    void isolate(int node) {
        for (int other = 1; other <= nodes; other++) {
            if (other != node) {
                cut(node, other);
                cut(other, node);
            }
        }
    }

    /** So many of a hundred packets are lost on the way to each node. */
    void lose(int percent) {
        for (int i = 1; i <= nodes; i++) {
            nft(
                    i,
                    "add",
                    "rule",
                    "inet",
                    "cut",
                    "in",
                    "iifname",
                    "eth0",
                    "numgen",
                    "random",
                    "mod",
                    "100",
                    "<",
                    Integer.toString(percent),
                    "drop");
        }
    }

    void mend() {
        for (int i = 1; i <= nodes; i++) {
            nft(i, "flush", "chain", "inet", "cut", "in");
        }
    }

    private void nft(int node, String... words) {
        var command = new ArrayList<>(at(node));
        command.add("nft");
        command.addAll(List.of(words));
        run(command.toArray(String[]::new));
    }

    private static void run(String... words) {
        try {
            var process = new ProcessBuilder(words).redirectErrorStream(true).start();
            var said = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", words) + ": " + said.strip());
            }
        } catch (IOException missing) {
            throw new IllegalStateException(missing.getMessage(), missing);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        for (int i = 1; i <= nodes; i++) {
            quietly("ip", "netns", "del", name + i);
        }
        quietly("ip", "link", "del", name);
    }

    private static void quietly(String... words) {
        try {
            run(words);
        } catch (IllegalStateException gone) {
            // it was never there
        }
    }
}
