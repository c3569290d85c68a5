package habemus.cli;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A fleet whose nodes are waited for, told things, killed, stopped for a while, and started again. */
final class Cluster implements Victims, Fleet.Listener, AutoCloseable {

    private static final long PATIENCE = 120; // seconds: the machine may have much else to do

    /** What a node has said on its standard error, and when by {@link System#nanoTime}. */
    record Word(long at, int node, String line) {}

    /** From a start of a node to its end. */
    private record Life(long pid, CompletableFuture<Void> ready, CompletableFuture<Integer> ended) {}

    private final Fleet fleet;
    private final Map<Integer, Life> lives = new ConcurrentHashMap<>();
    private final Queue<Word> words = new ConcurrentLinkedQueue<>();
    private final Map<Integer, CompletableFuture<String>> answers = new ConcurrentHashMap<>();
    private final Map<Integer, Door> doors = new ConcurrentHashMap<>();
    private final Set<Long> killed = ConcurrentHashMap.newKeySet(); // pids
    private final List<String> failures = new CopyOnWriteArrayList<>();

    private final Optional<WiredSite> wires;

    Cluster(Fleet fleet) {
        this(fleet, Optional.empty());
    }

    /** @param wires that are cut, if it is there that the fleet is */
    Cluster(Fleet fleet, Optional<WiredSite> wires) {
        this.fleet = fleet;
        this.wires = wires;
    }

    @Override
    public List<Integer> nodes() {
        return fleet.nodes();
    }

    @Override
    public List<Strikes.Kind> kinds() {
        return wires.isPresent() ? List.of(Strikes.Kind.values()) : Strikes.Kind.WITHOUT_WIRES;
    }

    Door door(int node) {
        return doors.computeIfAbsent(node, any -> new Door(fleet.http(node)));
    }

    String doors() {
        return fleet.doors();
    }

    String http(int node) {
        return fleet.http(node);
    }

    /**
     * Starts all, and waits until they answer.
     *
     * @throws Refusal if one of them does not
     */
    Cluster up() {
        nodes().forEach(node -> fleet.start(node, this));
        nodes().forEach(this::await);
        return this;
    }

    @Override
    public void restart(int node) {
        fleet.start(node, this);
        await(node);
    }

    private void await(int node) {
        try {
            life(node).ready.orTimeout(PATIENCE, TimeUnit.SECONDS).join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof Refusal refusal ? refusal : late(node);
        }
    }

    private static Refusal late(int node) {
        return Refusal.cannot("n" + node + " did not come up, or answer, in time", "is this machine very busy?");
    }

    private Life life(int node) {
        var life = lives.get(node);
        if (life == null) {
            throw new IllegalStateException("n" + node + " was never started");
        }
        return life;
    }

    @Override
    public void kill(int node) {
        var life = life(node);
        killed.add(life.pid);
        ProcessHandle.of(life.pid).ifPresent(ProcessHandle::destroyForcibly);
        life.ended.join();
    }

    @Override
    public void pause(int node, Duration time) throws InterruptedException {
        Victims.pause(life(node).pid, time);
    }

    @Override
    public void cut(int node, Strikes.Kind how, Duration time, Random random) throws InterruptedException {
        wires.orElseThrow().cut(node, how, time, random);
    }

    /** Who has ended, though nobody killed it, and why. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    /** What it answers. */
    CompletableFuture<String> tell(int node, String line) {
        var answer = new CompletableFuture<String>();
        answers.put(node, answer);
        fleet.tell(node, line);
        return answer;
    }

    /** What all of them answer, in their order. */
    List<String> tellAll(String line) {
        var answered = nodes().stream().map(node -> tell(node, line)).toList();
        return answered.stream().map(CompletableFuture::join).toList();
    }

    @Override
    public void started(int node, long pid) {
        lives.put(node, new Life(pid, new CompletableFuture<>(), new CompletableFuture<>()));
    }

    @Override
    public void ready(int node) {
        life(node).ready.complete(null);
    }

    @Override
    public void answered(int node, String line) {
        var waiting = answers.remove(node);
        if (waiting != null) {
            waiting.complete(line);
        }
    }

    @Override
    public void said(int node, String line) {
        words.add(new Word(System.nanoTime(), node, line));
    }

    @Override
    public void ended(int node, int code) {
        var life = life(node);
        var refusal = Refusal.cannot(
                "n" + node + " has ended with exit code " + code + "; its last words: " + lastWordsOf(node),
                "is the machine out of memory, or of ports?");
        if (!killed.contains(life.pid)) {
            failures.add(refusal.message());
        }
        life.ready.completeExceptionally(refusal);
        fail(answers.remove(node), refusal);
        life.ended.complete(code);
    }

    private String lastWordsOf(int node) {
        return words.stream()
                .filter(word -> word.node == node)
                .reduce((earlier, later) -> later)
                .map(Word::line)
                .orElse("none");
    }

    /** All that nodes have said so far. */
    List<Word> words() {
        return List.copyOf(words);
    }

    private static void fail(@Nullable CompletableFuture<String> answer, Refusal refusal) {
        if (answer != null) {
            answer.completeExceptionally(refusal);
        }
    }

    @Override
    public void close() {
        fleet.close();
    }
}
