package habemus.harness.soak;

import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ExitCode;
import habemus.harness.cluster.ProcessCluster;
import habemus.harness.faults.FaultTargets;
import habemus.harness.faults.RandomFaults;
import habemus.harness.site.NamespacedSite;
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
final class SoakClients implements FaultTargets, AutoCloseable {

    private static final long STOP_TIMEOUT_SECONDS = 90; // seconds: the service may be down just then

    private final int count;
    private final Optional<NamespacedSite> wires;
    private final String serviceAddresses;
    private final String resource;
    private final Path folder;
    private final long seed;
    private final Map<Integer, Process> processes = new ConcurrentHashMap<>();
    private final AtomicLong starts = new AtomicLong();

    /**
     * @param what they use: the doors of the service, and the resource
     * @param folder for their histories, and for what they complain about
     */
    SoakClients(int many, Optional<NamespacedSite> wires, Targets what, Path folder, long seed) {
        this.count = many;
        this.wires = wires;
        serviceAddresses = what.serviceAddresses;
        resource = what.resource;
        this.folder = folder;
        this.seed = seed;
    }

    /** Addresses. */
    record Targets(String serviceAddresses, String resource) {}

    @Override
    public List<Integer> nodes() {
        return IntStream.rangeClosed(1, count).boxed().toList();
    }

    @Override
    public List<RandomFaults.Kind> kinds() {
        return wires.isPresent() ? List.of(RandomFaults.Kind.values()) : RandomFaults.Kind.PROCESS_FAULTS;
    }

    /** How often one of them was started. */
    long starts() {
        return starts.get();
    }

    SoakClients start() {
        nodes().forEach(this::restart);
        return this;
    }

    /** Does not wait: it may have nobody to connect to. */
    @Override
    public void restart(int client) {
        long life = starts.incrementAndGet();
        var name = "c" + client + "-" + life;
        var words = new ArrayList<>(
                wires.map(all -> all.commandPrefix(all.namespaceOf(client))).orElse(List.of()));
        words.addAll(ProcessCluster.programCommand());
        words.addAll(List.of("soak", SoakClient.NAME_OPTION, name, SoakClient.ADDRESSES_OPTION, serviceAddresses));
        words.addAll(List.of(SoakClient.RESOURCE_OPTION, resource, "--seed", Long.toString(seed + life)));
        words.addAll(List.of(
                SoakClient.HISTORY_OPTION, folder.resolve(name + ".history").toString()));
        try {
            var process = new ProcessBuilder(words)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(folder.resolve(name + ".err").toFile())
                    .start();
            processes.put(client, process);
        } catch (IOException refused) {
            throw CommandException.failure(
                    "cannot start a process: " + refused.getMessage(), "is there enough memory?");
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
        FaultTargets.pause(process(client).pid(), time);
    }

    @Override
    public void partition(int client, RandomFaults.Kind how, Duration time, Random random) throws InterruptedException {
        var all = wires.orElseThrow();
        all.partition(all.namespaceOf(client), how, time, random);
    }

    /** They give everything back. Returns who did not end, or failed. */
    List<String> stop() throws InterruptedException {
        for (Process process : processes.values()) {
            try {
                process.getOutputStream().close();
            } catch (IOException gone) {
                // which is seen below
            }
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_TIMEOUT_SECONDS);
        for (Process process : processes.values()) {
            var unused = process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
        return processes.entrySet().stream()
                .filter(one -> one.getValue().isAlive() || one.getValue().exitValue() != ExitCode.OK)
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
