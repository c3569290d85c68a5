package habemus.peers;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One product in a JVM of its own: starts its nodes, takes the steps, answers with a line for each, and ends the nodes.
 * Whoever started it keeps its standard input open: when that ends, everything does.
 */
public final class Drive {

    private static final int OWN = 4; // arguments before the steps
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Peer peer;
    private final Processes processes;
    private final int connections;
    private final Site site;

    private Drive(Peer peer, Processes processes, int connections, Site site) {
        this.peer = peer;
        this.processes = processes;
        this.connections = connections;
        this.site = site;
    }

    /**
     * @param maker of the product
     * @param args the root of the repository, a folder, how many nodes, how many connections, and the steps
     */
    public static void run(Function<Site, Peer> maker, String... args) throws Exception {
        var answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.setOut(System.err); // for libraries that greet
        var folder = Path.of(args[1]);
        var site = Site.prepare(Path.of(args[0]), folder, Integer.parseInt(args[2]));
        var peer = maker.apply(site);
        var processes = new Processes(peer.nodes(), folder);
        Runtime.getRuntime().addShutdownHook(new Thread(processes::close));
        Thread.ofPlatform().daemon().start(Drive::endWithInput);
        processes.start();
        awaitService(peer);
        var drive = new Drive(peer, processes, Integer.parseInt(args[3]), site);
        for (String word : Stream.of(args).skip(OWN).toList()) {
            var step = Step.parse(word);
            answers.println(new Answer(step, drive.take(step)).line());
        }
        processes.close();
        Site.remove(folder);
        System.exit(0); // libraries leave threads behind
    }

    /** Until somebody is served: that they listen does not say that they have found each other. */
    private static void awaitService(Peer peer) throws Exception {
        var served = CompletableFuture.runAsync(() -> {
            while (!isServed(peer)) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
        });
        served.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private static boolean isServed(Peer peer) {
        try (var session = peer.connect()) {
            session.lock("ready").acquire().release();
            return true;
        } catch (Exception notYet) {
            return false;
        }
    }

    private static void endWithInput() {
        try {
            System.in.transferTo(PrintStream.nullOutputStream());
        } catch (IOException closed) {
            // which is the same as its end
        }
        System.exit(1);
    }

    private Map<String, Double> take(Step step) throws Exception {
        var sessions = new ArrayList<Peer.Session>();
        try {
            return switch (step) {
                case Step.Warm(int clients, double seconds) ->
                    Loads.measure(new Step.Load(false, clients, seconds), open(sessions), processes.pids());
                case Step.Load load -> Loads.measure(load, open(sessions), processes.pids());
                case Step.Syncs syncs -> Strace.count(syncs, open(sessions), processes.pids(), site.folder());
                case Step.Kill kill -> Kills.leader(kill, open(sessions), peer, processes);
                case Step.Idle idle ->
                    Idleness.watch(idle, peer, sessions, processes.pids()[0]);
                case Step.Floor floor -> Floor.measure(floor, site);
            };
        } finally {
            sessions.forEach(Peer.Session::close);
        }
    }

    private List<Peer.Session> open(List<Peer.Session> sessions) throws Exception {
        for (int i = 0; i < connections; i++) {
            sessions.add(peer.connect());
        }
        return sessions;
    }
}
