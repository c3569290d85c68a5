package habemus.cli;

import com.google.gson.JsonObject;
import habemus.cli.Scene.Happening;
import habemus.service.net.GroupNet;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Runs a fleet and shows how it is. Whatever the nodes do becomes a task for the one thread that shows it. */
final class Show implements Fleet.Listener, AutoCloseable {

    private static final int KILLED = 128; // larger exit codes are signals
    private static final Duration LOOK = Duration.ofMillis(500); // how often it looks who is silent

    private final Fleet fleet;
    private final Screen screen;
    private final boolean restarts;
    private final Scene scene = new Scene();
    private final LinkedBlockingQueue<Supplier<List<Happening>>> tasks = new LinkedBlockingQueue<>();
    private final Map<Integer, String> lastWords = new ConcurrentHashMap<>();
    private final Map<Integer, Long> heard = new ConcurrentHashMap<>(); // who is up, and when it said something last
    private final Set<Integer> silent = ConcurrentHashMap.newKeySet();
    private final Set<Integer> gone = new HashSet<>();
    private volatile boolean over;

    Show(Fleet fleet, Screen screen, boolean restarts) {
        this.fleet = fleet;
        this.screen = screen;
        this.restarts = restarts;
        fleet.nodes().forEach(node -> scene.add(name(node), fleet.address(node), fleet.http(node)));
    }

    private static String name(int node) {
        return "n" + node;
    }

    /** Until it is ended, or there is no node left to show. */
    int run() {
        screen.begin(scene);
        fleet.nodes().forEach(node -> fleet.start(node, this));
        while (!over && gone.size() < fleet.nodes().size()) {
            try {
                var task = tasks.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                var happened = new ArrayList<Happening>(task == null ? List.of() : task.get());
                happened.addAll(silences());
                if (task != null || !happened.isEmpty()) {
                    screen.show(happened, scene, tasks.isEmpty());
                }
            } catch (InterruptedException enough) {
                Thread.currentThread().interrupt();
                over = true;
            }
        }
        if (!over) {
            throw Refusal.cannot(
                    "no node is left; the last words of n1: " + lastWords.getOrDefault(1, "none"),
                    "--verbose shows what the nodes log");
        }
        return ExitCode.DONE;
    }

    /** Who has stopped to say anything. */
    private List<Happening> silences() {
        long now = System.nanoTime();
        return heard.entrySet().stream()
                .filter(last -> now - last.getValue() > GroupNet.SILENCE.toNanos() && silent.add(last.getKey()))
                .map(last -> scene.silent(name(last.getKey())))
                .toList();
    }

    void end() {
        over = true;
        tasks.add(List::of);
    }

    @Override
    public void started(int node, long pid) {
        tasks.add(() -> scene.started(name(node), pid));
    }

    @Override
    public void ready(int node) {
        heard.put(node, System.nanoTime());
        tasks.add(() -> {
            Thread.ofVirtual().start(() -> watch(node));
            return scene.ready(name(node));
        });
    }

    private void watch(int node) {
        try {
            new Door(fleet.http(node)).watch("node", (kind, data) -> tell(node, kind, data));
        } catch (UncheckedIOException ended) {
            // so has the node
        }
    }

    private void tell(int node, String kind, JsonObject data) {
        heard.computeIfPresent(node, (any, before) -> System.nanoTime());
        if (silent.remove(node)) {
            tasks.add(() -> scene.heard(name(node)));
        }
        if (!kind.equals(Door.ALIVE)) {
            tasks.add(() -> scene.told(name(node), kind, data));
        }
    }

    @Override
    public void said(int node, String line) {
        lastWords.put(node, line);
        tasks.add(() -> {
            screen.log(name(node), line);
            return List.of();
        });
    }

    @Override
    public void ended(int node, int code) {
        heard.remove(node);
        silent.remove(node);
        tasks.add(() -> {
            var how = code > KILLED
                    ? "killed by signal " + (code - KILLED)
                    : "exit code " + code + ": " + lastWords.getOrDefault(node, "without a word");
            var happened = scene.ended(name(node), how);
            if (restarts && code > KILLED) {
                fleet.start(node, this);
            } else {
                gone.add(node);
            }
            return happened;
        });
    }

    @Override
    public void close() {
        fleet.close();
    }
}
