package habemus.service.net;

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
 * then. Needs root, and the programs ip and nft. Whoever is in none of these networks is {@link #outside}, and reaches
 * all of them always.
 */
public class Namespaces implements AutoCloseable {

    private static final AtomicInteger MADE = new AtomicInteger();
    private static final int OUTSIDE = 254;
    private static final int MOST = 250;

    private record Wire(int from, int to) {}

    private final int places;
    private final String name;
    private final String net;
    private final Map<Wire, Integer> cuts = new HashMap<>(); // how many of those who cut it have not mended it

    /** Nothing is there before {@link #lay}. Places are numbered from one. */
    public Namespaces(int places) {
        if (places > MOST) {
            throw new IllegalArgumentException("there are " + MOST + " places at most");
        }
        this.places = places;
        int which = MADE.incrementAndGet();
        name = "hb" + ProcessHandle.current().pid() % 100_000 + "x" + which;
        net = "10.77." + (ProcessHandle.current().pid() + which) % 250 + ".";
    }

    /** @throws IllegalStateException if networks cannot be made here; then nothing is left of them */
    public final void lay() {
        try {
            run("ip", "link", "add", name, "type", "bridge");
            run("ip", "addr", "add", outside() + "/24", "dev", name);
            run("ip", "link", "set", name, "up");
            IntStream.rangeClosed(1, places).forEach(this::lay);
        } catch (IllegalStateException refused) {
            close();
            throw refused;
        }
    }

    private void lay(int i) {
        run("ip", "netns", "add", name + i);
        run("ip", "link", "add", name + "v" + i, "type", "veth", "peer", "name", "eth0", "netns", name + i);
        run("ip", "link", "set", name + "v" + i, "master", name, "up");
        run("ip", "-n", name + i, "addr", "add", host(i) + "/24", "dev", "eth0");
        run("ip", "-n", name + i, "link", "set", "eth0", "up");
        run("ip", "-n", name + i, "link", "set", "lo", "up");
        nft(
                i,
                "add table inet cut; add set inet cut gone { type ipv4_addr ; };"
                        + " add chain inet cut in { type filter hook input priority 0 ; };"
                        + " add rule inet cut in ip saddr @gone drop;"
                        + " add chain inet cut lossy { type filter hook input priority 1 ; }");
    }

    public final String host(int place) {
        return net + place;
    }

    /** The address of those who are in none of them. */
    public final String outside() {
        return net + OUTSIDE;
    }

    /** What a command begins with that is to run there. */
    public final List<String> at(int place) {
        return List.of("ip", "netns", "exec", name + place);
    }

    /** Nothing arrives at a place from another any more. */
    public final synchronized void cut(int from, int to) {
        var wire = new Wire(from, to);
        int before = cuts.getOrDefault(wire, 0);
        cuts.put(wire, before + 1);
        if (before == 0) {
            nft(to, "add element inet cut gone { " + host(from) + " }");
        }
    }

    /** If all who have cut it mend it, it is whole. */
    public final synchronized void mend(int from, int to) {
        var wire = new Wire(from, to);
        int before = cuts.getOrDefault(wire, 0);
        cuts.put(wire, Math.max(0, before - 1));
        if (before == 1) {
            nft(to, "delete element inet cut gone { " + host(from) + " }");
        }
    }

    /** A place hears nobody, and is heard by nobody. */
    public final void isolate(int place) {
        for (int other = 1; other <= places; other++) {
            if (other != place) {
                cut(place, other);
                cut(other, place);
            }
        }
    }

    /** So many of a hundred packets are lost on the way to each place. */
    public final void lose(int percent) {
        IntStream.rangeClosed(1, places)
                .forEach(i ->
                        nft(i, "add rule inet cut lossy iifname eth0 numgen random mod 100 < " + percent + " drop"));
    }

    /** All of it. */
    public final synchronized void mend() {
        cuts.clear();
        IntStream.rangeClosed(1, places).forEach(i -> nft(i, "flush set inet cut gone; flush chain inet cut lossy"));
    }

    private void nft(int place, String script) {
        var command = new ArrayList<>(at(place));
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
        IntStream.rangeClosed(1, places).forEach(i -> quietly("ip", "netns", "del", name + i));
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
