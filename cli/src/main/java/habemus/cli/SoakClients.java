package habemus.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Processes that use the service, see {@link SoakClient}. Whoever is killed comes again as a new one. */
final class SoakClients implements Victims, AutoCloseable {

    private static final long PATIENCE = 90; // seconds: the service may be down just then

    private final int many;
    private final Optional<WiredSite> wires;
    private final String doors;
    private final String resource;
    private final Path folder;
    private final long seed;
    private final Map<Integer, Process> processes = new ConcurrentHashMap<>();
    private final AtomicLong lives = new AtomicLong();

    /**
     * @param what they use: the doors of the service, and the resource
     * @param folder for their histories, and for what they complain about
     */
    SoakClients(int many, Optional<WiredSite> wires, Used what, Path folder, long seed) {
        this.many = many;
        this.wires = wires;
        doors = what.doors;
        resource = what.resource;
        this.folder = folder;
        this.seed = seed;
    }

    /** Addresses. */
    record Used(String doors, String resource) {}

    @Override
    public List<Integer> nodes() {
        return IntStream.rangeClosed(1, many).boxed().toList();
    }

    @Override
    public List<Strikes.Kind> kinds() {
        return wires.isPresent() ? List.of(Strikes.Kind.values()) : Strikes.Kind.WITHOUT_WIRES;
    }

    /** How often one of them was started. */
    long lives() {
        return lives.get();
    }

    SoakClients up() {
        nodes().forEach(this::restart);
        return this;
    }

    /** Does not wait: it may have nobody to connect to. */
    @Override
    public void restart(int client) {
        long life = lives.incrementAndGet();
        var name = "c" + client + "-" + life;
        var words = new ArrayList<>(wires.map(all -> all.at(all.place(client))).orElse(List.of()));
        words.addAll(Fleet.program());
        words.addAll(List.of("soak", SoakClient.NAME, name, SoakClient.DOORS, doors));
        words.addAll(List.of(SoakClient.RESOURCE, resource, "--seed", Long.toString(seed + life)));
        words.addAll(
                List.of(SoakClient.HISTORY, folder.resolve(name + ".history").toString()));
        try {
            var process = new ProcessBuilder(words)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(folder.resolve(name + ".err").toFile())
                    .start();
            processes.put(client, process);
        } catch (IOException refused) {
            throw Refusal.cannot("cannot start a process: " + refused.getMessage(), "is there enough memory?");
        }
    }

    private Process process(int client) {
        var process = processes.get(client);
        if (process == null) {
            throw new IllegalStateException("c" + client + " was never started");
        }
        return process;
    }

    @Override
    public void kill(int client) {
        var process = process(client);
        process.destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void pause(int client, Duration time) throws InterruptedException {
        Victims.pause(process(client).pid(), time);
    }

    @Override
    public void cut(int client, Strikes.Kind how, Duration time, Random random) throws InterruptedException {
        var all = wires.orElseThrow();
        all.cut(all.place(client), how, time, random);
    }

    /** They give everything back. Returns who did not end, or failed. */
    List<String> end() throws InterruptedException {
        for (Process process : processes.values()) {
            try {
                process.getOutputStream().close();
            } catch (IOException gone) {
                // which is seen below
            }
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
        for (Process process : processes.values()) {
            var unused = process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
        return processes.entrySet().stream()
                .filter(one -> one.getValue().isAlive() || one.getValue().exitValue() != ExitCode.DONE)
                .map(one -> "client c" + one.getKey()
                        + (one.getValue().isAlive()
                                ? " did not end"
                                : " has failed with exit code " + one.getValue().exitValue()))
                .toList();
    }

    @Override
    public void close() {
        processes.values().forEach(Process::destroyForcibly);
    }
}
