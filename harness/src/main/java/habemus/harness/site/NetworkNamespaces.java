package habemus.harness.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Linux network namespaces on one bridge, with links between them that can be cut and healed. Needs root, and the
 * programs ip and nft. A process outside the namespaces has the {@link #outsideAddress} and always reaches all of them.
 */
public class NetworkNamespaces implements AutoCloseable {

    private static final AtomicInteger INSTANCE_COUNTER = new AtomicInteger();
    private static final int OUTSIDE_HOST = 254;
    private static final int MAX_COUNT = 250;

    private record Link(int from, int to) {}

    private final int count;
    private final String name;
    private final String subnet;
    private final Map<Link, Integer> cuts = new HashMap<>(); // by link: cuts that are not healed yet

    /** @param count of namespaces, numbered from one; {@link #create} creates them */
    public NetworkNamespaces(int count) {
        if (count > MAX_COUNT) {
            throw new IllegalArgumentException("count must be at most " + MAX_COUNT + ", was " + count);
        }
        this.count = count;
        int instance = INSTANCE_COUNTER.incrementAndGet();
        name = "hb" + ProcessHandle.current().pid() % 100_000 + "x" + instance;
        subnet = "10.77." + (ProcessHandle.current().pid() + instance) % 250 + ".";
    }

    /**
     * Creates all namespaces, or none.
     *
     * @throws IllegalStateException if this machine cannot create them
     */
    public final void create() {
        try {
            run("ip", "link", "add", name, "type", "bridge");
            run("ip", "addr", "add", outsideAddress() + "/24", "dev", name);
            run("ip", "link", "set", name, "up");
            IntStream.rangeClosed(1, count).forEach(this::create);
        } catch (IllegalStateException failed) {
            close();
            throw failed;
        }
    }

    private void create(int i) {
        run("ip", "netns", "add", name + i);
        run("ip", "link", "add", name + "v" + i, "type", "veth", "peer", "name", "eth0", "netns", name + i);
        run("ip", "link", "set", name + "v" + i, "master", name, "up");
        run("ip", "-n", name + i, "addr", "add", address(i) + "/24", "dev", "eth0");
        run("ip", "-n", name + i, "link", "set", "eth0", "up");
        run("ip", "-n", name + i, "link", "set", "lo", "up");
        nft(
                i,
                "add table inet cut; add set inet cut gone { type ipv4_addr ; };"
                        + " add chain inet cut in { type filter hook input priority 0 ; };"
                        + " add rule inet cut in ip saddr @gone drop;"
                        + " add chain inet cut lossy { type filter hook input priority 1 ; }");
    }

    public final String address(int namespace) {
        return subnet + namespace;
    }

    /** The address of processes outside the namespaces. */
    public final String outsideAddress() {
        return subnet + OUTSIDE_HOST;
    }

    /** The words to put before a command so that it runs in this namespace. */
    public final List<String> commandPrefix(int namespace) {
        return List.of("ip", "netns", "exec", name + namespace);
    }

    /** Drops everything that {@code from} sends to {@code to}. */
    public final synchronized void cutLink(int from, int to) {
        var link = new Link(from, to);
        int before = cuts.getOrDefault(link, 0);
        cuts.put(link, before + 1);
        if (before == 0) {
            nft(to, "add element inet cut gone { " + address(from) + " }");
        }
    }

    /** Undoes one cut. A link that was cut twice carries packets again when both cuts are healed. */
    public final synchronized void healLink(int from, int to) {
        var link = new Link(from, to);
        int before = cuts.getOrDefault(link, 0);
        cuts.put(link, Math.max(0, before - 1));
        if (before == 1) {
            nft(to, "delete element inet cut gone { " + address(from) + " }");
        }
    }

    /** Cuts all links of a namespace, in both directions. */
    public final void isolate(int namespace) {
        for (int other = 1; other <= count; other++) {
            if (other != namespace) {
                cutLink(namespace, other);
                cutLink(other, namespace);
            }
        }
    }

    /** @param percent of the packets to each namespace that are dropped */
    public final void dropPackets(int percent) {
        IntStream.rangeClosed(1, count)
                .forEach(i ->
                        nft(i, "add rule inet cut lossy iifname eth0 numgen random mod 100 < " + percent + " drop"));
    }

    /** Heals all links and drops no more packets. */
    public final synchronized void healAll() {
        cuts.clear();
        IntStream.rangeClosed(1, count).forEach(i -> nft(i, "flush set inet cut gone; flush chain inet cut lossy"));
    }

    private void nft(int namespace, String script) {
        var command = new ArrayList<>(commandPrefix(namespace));
        command.addAll(List.of("nft", script));
        run(command.toArray(String[]::new));
    }

    private static void run(String... words) {
        try {
            var process = new ProcessBuilder(words).redirectErrorStream(true).start();
            var output = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", words) + ": " + output.strip());
            }
        } catch (IOException missing) {
            throw new IllegalStateException(missing.getMessage(), missing);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public final void close() {
        IntStream.rangeClosed(1, count).forEach(i -> runQuietly("ip", "netns", "del", name + i));
        runQuietly("ip", "link", "del", name);
    }

    private static void runQuietly(String... words) {
        try {
            run(words);
        } catch (IllegalStateException missing) {
            // was never created
        }
    }
}
