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
 * A network of its own for every process, with wires between them that can be cut, to see what becomes of a service
 * then. Needs root, and the programs ip and nft. Whoever is in none of these networks is {@link #outsideAddress}, and reaches
 * all of them always.
 */
public class NetworkNamespaces implements AutoCloseable {

    private static final AtomicInteger INSTANCE_COUNTER = new AtomicInteger();
    private static final int OUTSIDE_HOST = 254;
    private static final int MAX_COUNT = 250;

    private record Link(int from, int to) {}

    private final int count;
    private final String name;
    private final String net;
    private final Map<Link, Integer> cuts = new HashMap<>(); // how many of those who cut it have not mended it

    /** Nothing is there before {@link #create}. Places are numbered from one. */
    public NetworkNamespaces(int places) {
        if (places > MAX_COUNT) {
            throw new IllegalArgumentException("there are " + MAX_COUNT + " places at most");
        }
        this.count = places;
        int which = INSTANCE_COUNTER.incrementAndGet();
        name = "hb" + ProcessHandle.current().pid() % 100_000 + "x" + which;
        net = "10.77." + (ProcessHandle.current().pid() + which) % 250 + ".";
    }

    /** @throws IllegalStateException if networks cannot be made here; then nothing is left of them */
    public final void create() {
        try {
            run("ip", "link", "add", name, "type", "bridge");
            run("ip", "addr", "add", outsideAddress() + "/24", "dev", name);
            run("ip", "link", "set", name, "up");
            IntStream.rangeClosed(1, count).forEach(this::create);
        } catch (IllegalStateException refused) {
            close();
            throw refused;
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

    public final String address(int place) {
        return net + place;
    }

    /** The address of those who are in none of them. */
    public final String outsideAddress() {
        return net + OUTSIDE_HOST;
    }

    /** What a command begins with that is to run there. */
    public final List<String> commandPrefix(int place) {
        return List.of("ip", "netns", "exec", name + place);
    }

    /** Nothing arrives at a place from another any more. */
    public final synchronized void cutLink(int from, int to) {
        var link = new Link(from, to);
        int before = cuts.getOrDefault(link, 0);
        cuts.put(link, before + 1);
        if (before == 0) {
            nft(to, "add element inet cut gone { " + address(from) + " }");
        }
    }

    /** If all who have cut it mend it, it is whole. */
    public final synchronized void healLink(int from, int to) {
        var link = new Link(from, to);
        int before = cuts.getOrDefault(link, 0);
        cuts.put(link, Math.max(0, before - 1));
        if (before == 1) {
            nft(to, "delete element inet cut gone { " + address(from) + " }");
        }
    }

    /** A place hears nobody, and is heard by nobody. */
    public final void isolate(int place) {
        for (int other = 1; other <= count; other++) {
            if (other != place) {
                cutLink(place, other);
                cutLink(other, place);
            }
        }
    }

    /** So many of a hundred packets are lost on the way to each place. */
    public final void dropPackets(int percent) {
        IntStream.rangeClosed(1, count)
                .forEach(i ->
                        nft(i, "add rule inet cut lossy iifname eth0 numgen random mod 100 < " + percent + " drop"));
    }

    /** All of it. */
    public final synchronized void healAll() {
        cuts.clear();
        IntStream.rangeClosed(1, count).forEach(i -> nft(i, "flush set inet cut gone; flush chain inet cut lossy"));
    }

    private void nft(int place, String script) {
        var command = new ArrayList<>(commandPrefix(place));
        command.addAll(List.of("nft", script));
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
    public final void close() {
        IntStream.rangeClosed(1, count).forEach(i -> runQuietly("ip", "netns", "del", name + i));
        runQuietly("ip", "link", "del", name);
    }

    private static void runQuietly(String... words) {
        try {
            run(words);
        } catch (IllegalStateException gone) {
            // it was never there
        }
    }
}
