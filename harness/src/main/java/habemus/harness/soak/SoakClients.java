package habemus.harness.soak;

import habemus.harness.HarnessException;
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

/** The client processes of a {@link LockServiceSoak}. A killed client is replaced by a new process with a new name. */
final class SoakClients implements FaultTargets, AutoCloseable {

    /** Long, since the service may be down when the clients stop. */
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(90);

    /**
     * @param serviceAddresses client addresses of the nodes, separated by commas
     * @param resourceAddress of the guarded resource
     * @param folder for the histories and the standard error of the clients
     */
    record Environment(String serviceAddresses, String resourceAddress, Path folder) {}

    private final int count;
    private final Optional<NamespacedSite> namespaces;
    private final Environment environment;
    private final SoakClient.CommandLine commandLine;
    private final long seed;
    private final Map<Integer, Process> processes = new ConcurrentHashMap<>();
    private final AtomicLong starts = new AtomicLong();

    SoakClients(
            int count,
            Optional<NamespacedSite> namespaces,
            Environment environment,
            SoakClient.CommandLine commandLine,
            long seed) {
        this.count = count;
        this.namespaces = namespaces;
        this.environment = environment;
        this.commandLine = commandLine;
        this.seed = seed;
    }

    @Override
    public List<Integer> nodes() {
        return IntStream.rangeClosed(1, count).boxed().toList();
    }

    @Override
    public List<RandomFaults.Kind> kinds() {
        return namespaces.isPresent() ? List.of(RandomFaults.Kind.values()) : RandomFaults.Kind.PROCESS_FAULTS;
    }

    /** Number of processes that were started. */
    long starts() {
        return starts.get();
    }

    SoakClients start() {
        nodes().forEach(this::restart);
        return this;
    }

    /** Does not wait until the client is connected: the service may be down. */
    @Override
    public void restart(int client) {
        long start = starts.incrementAndGet();
        var name = "c" + client + "-" + start;
        var words = new ArrayList<>(namespaces
                .map(site -> site.commandPrefix(site.namespaceOf(client)))
                .orElse(List.of()));
        words.addAll(commandLine.command(new SoakClient.Config(
                name,
                environment.serviceAddresses,
                environment.resourceAddress,
                environment.folder.resolve(name + ".history"),
                seed + start)));
        try {
            var process = new ProcessBuilder(words)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(environment.folder.resolve(name + ".err").toFile())
                    .start();
            processes.put(client, process);
        } catch (IOException failed) {
            throw new HarnessException(
                    "cannot start client " + name + ": " + failed.getMessage(), "check the memory of this machine");
        }
    }

    private Process process(int client) {
        var process = processes.get(client);
        if (process == null) {
            throw new IllegalStateException("client c" + client + " was never started");
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
    public void partition(int client, RandomFaults.Kind kind, Duration time, Random random)
            throws InterruptedException {
        var site = namespaces.orElseThrow();
        site.partition(site.namespaceOf(client), kind.linkCut(), time, random);
    }

    /**
     * Stops the clients; each releases all that it holds.
     *
     * @return one line for each client that failed, or did not exit in time
     */
    List<String> stop() throws InterruptedException {
        for (Process process : processes.values()) {
            try {
                process.getOutputStream().close();
            } catch (IOException exited) {
                // reported below
            }
        }
        long end = System.nanoTime() + STOP_TIMEOUT.toNanos();
        for (Process process : processes.values()) {
            var unused = process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
        var problems = new ArrayList<String>();
        processes.forEach((client, process) -> {
            if (process.isAlive()) {
                problems.add("client c" + client + " did not exit within " + STOP_TIMEOUT.toSeconds() + " s");
            } else if (process.exitValue() != 0) {
                problems.add("client c" + client + " exited with code " + process.exitValue());
            }
        });
        return problems;
    }

    @Override
    public void close() {
        processes.values().forEach(Process::destroyForcibly);
    }
}
