package habemus.service.raft;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.protocol.NodeId;
import habemus.service.log.ReplicatedLog;
import habemus.service.metrics.NodeMetrics;
import habemus.service.transport.Member;
import habemus.service.transport.NettyEventLoop;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/**
 * A log node as a process of its own, which executes commands from its standard input.
 *
 * <pre>
 *   propose WORD                    prints done WORD, or failed WORD CAUSE
 *   lines                           prints lines K HASH: number and hash of the applied entries
 *   load PROPOSERS SECONDS BYTES    prints entries per second and their latency in microseconds
 *   counts                          prints the counters of the log
 *   term                            prints term N
 *   close                           closes the log; prints closed
 *   remove K                        removes a member; prints remove done, or remove refused CAUSE
 * </pre>
 *
 * Without a command it prints {@code leader nK} or {@code leader none} at each change of the leader.
 */
final class LogNodeMain {

    private static final PrintStream OUT = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);

    private final ReplicatedLog log;
    private long lines;
    private long hash;

    private LogNodeMain(ReplicatedLog log) {
        this.log = log;
    }

    /** Arguments: the cluster, the node, its folder, and a {@link StartMode}. */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback prints the failure
    public static void main(String[] args) throws Exception {
        var config = ReplicatedLogConfig.of(
                        Member.parse(args[0]), new NodeId(Integer.parseInt(args[1])), Path.of(args[2]))
                .withProposalTimeout(Duration.ofSeconds(5))
                .withMode(args.length > 3 ? StartMode.valueOf(args[3]) : StartMode.BOOTSTRAP);
        try (var loop = new NettyEventLoop("log-" + config.self());
                var log = RaftLog.open(config, loop, LogRecorder.NONE, new NodeMetrics());
                var commands = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
            var node = new LogNodeMain(log);
            log.failure().thenAccept(cause -> print("refused " + cause.getMessage()));
            log.start(node.machine());
            print("up");
            for (var command = commands.readLine(); command != null; command = commands.readLine()) {
                node.execute(command.split(" ", -1));
            }
        } catch (RuntimeException | IOException refused) {
            print("refused " + refused.getMessage());
        }
    }

    private static void print(String line) {
        OUT.println(line);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback prints the outcome
    private void execute(String[] command) throws InterruptedException {
        switch (command[0]) {
            case "propose" -> propose(command[1]);
            case "load" ->
                load(Integer.parseInt(command[1]), Integer.parseInt(command[2]), Integer.parseInt(command[3]));
            case "counts" -> print(log.stats().toString());
            case "lines" -> print(state());
            case "term" -> print("term " + log.term());
            case "close" -> {
                log.close();
                print("closed");
            }
            case "remove" ->
                log.removeMember(new NodeId(Integer.parseInt(command[1])))
                        .whenComplete((done, failed) ->
                                print(failed == null ? "remove done" : "remove refused " + failed.getMessage()));
            default -> throw new IllegalArgumentException(command[0]);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback prints the outcome
    private void propose(String word) {
        log.propose(word.getBytes(UTF_8))
                .whenComplete((done, failed) ->
                        print(failed == null ? "done " + word : "failed " + word + " " + failed.getMessage()));
    }

    private synchronized String state() {
        return "lines " + lines + " " + hash;
    }

    private void load(int proposers, int seconds, int bytes) throws InterruptedException {
        var all = new ArrayList<List<Long>>();
        var threads = new ArrayList<Thread>();
        var before = log.stats();
        long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        for (int i = 0; i < proposers; i++) {
            var mine = new ArrayList<Long>();
            all.add(mine);
            threads.add(Thread.ofVirtual().start(() -> {
                while (System.nanoTime() < end) {
                    long start = System.nanoTime();
                    try {
                        log.propose(new byte[bytes]).get();
                        mine.add(System.nanoTime() - start);
                    } catch (InterruptedException | ExecutionException failed) {
                        print("failed " + failed.getMessage());
                    }
                }
            }));
        }
        for (var thread : threads) {
            thread.join();
        }
        var times = all.stream()
                .flatMap(List::stream)
                .mapToLong(time -> time / 1_000)
                .sorted()
                .toArray();
        var after = log.stats();
        print("load %d proposers: %d entries/s, p50 %d us, p99 %d us, %d entries with %d syncs"
                .formatted(
                        proposers,
                        times.length / seconds,
                        times[times.length / 2],
                        times[times.length * 99 / 100],
                        after.appended() - before.appended(),
                        after.syncs() - before.syncs()));
    }

    private ReplicatedLog.StateMachine machine() {
        return new ReplicatedLog.StateMachine() {
            @Override
            public void apply(long index, byte[] entry) {
                synchronized (LogNodeMain.this) {
                    lines++;
                    hash = hash * 31 + Arrays.hashCode(entry);
                }
            }

            @Override
            public Supplier<byte[]> snapshot() {
                var state = state();
                return () -> state.getBytes(UTF_8);
            }

            @Override
            public void restore(byte[] snapshot) {
                synchronized (LogNodeMain.this) {
                    var words = new String(snapshot, UTF_8).split(" ", -1);
                    lines = Long.parseLong(words[1]);
                    hash = Long.parseLong(words[2]);
                }
            }

            @Override
            public void onLeaderChanged(Optional<NodeId> leader) {
                print("leader " + leader.map(NodeId::toString).orElse("none"));
            }
        };
    }
}
