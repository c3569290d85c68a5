package habemus.service.raft;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.protocol.NodeId;
import habemus.service.transport.Member;
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

/**
 * A node of a log as a process of its own, which does as it is told on its standard input.
 *
 * <pre>
 *   propose WORD                    done WORD, or failed WORD why
 *   lines                           lines K HASH: so many, and of what
 *   load PROPOSERS SECONDS BYTES    entries a second, and how long one takes, in microseconds
 *   counts
 * </pre>
 *
 * Of itself it says {@code leader nK}, or {@code leader none}.
 */
final class LogNodeMain {

    private static final PrintStream OUT = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);

    private final ReplicatedLog replicatedLog;
    private long lines;
    private long hash;

    private LogNodeMain(ReplicatedLog replicatedLog) {
        this.replicatedLog = replicatedLog;
    }

    /** The cluster, the node, its folder. */
    public static void main(String[] args) throws Exception {
        var config = ReplicatedLogConfig.of(
                        Member.parse(args[0]), new NodeId(Integer.parseInt(args[1])), Path.of(args[2]))
                .withProposalTimeout(Duration.ofSeconds(5));
        try (var log = new JGroupsRaftLog(config);
                var orders = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
            var puppet = new LogNodeMain(log);
            log.start(puppet.machine());
            say("up");
            for (var order = orders.readLine(); order != null; order = orders.readLine()) {
                puppet.obey(order.split(" ", -1));
            }
        } catch (RuntimeException | IOException refused) {
            say("refused " + refused.getMessage());
        }
    }

    private static void say(String words) {
        OUT.println(words);
    }

    private void obey(String[] order) throws InterruptedException {
        switch (order[0]) {
            case "propose" -> propose(order[1]);
            case "load" -> load(Integer.parseInt(order[1]), Integer.parseInt(order[2]), Integer.parseInt(order[3]));
            case "counts" -> say(replicatedLog.stats().toString());
            case "lines" -> say(state());
            default -> throw new IllegalArgumentException(order[0]);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it says what came of it
    private void propose(String word) {
        replicatedLog
                .propose(word.getBytes(UTF_8))
                .whenComplete((done, failed) ->
                        say(failed == null ? "done " + word : "failed " + word + " " + failed.getMessage()));
    }

    private synchronized String state() {
        return "lines " + lines + " " + hash;
    }

    private void load(int proposers, int seconds, int bytes) throws InterruptedException {
        var all = new ArrayList<List<Long>>();
        var threads = new ArrayList<Thread>();
        var before = replicatedLog.stats();
        long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        for (int i = 0; i < proposers; i++) {
            var mine = new ArrayList<Long>();
            all.add(mine);
            threads.add(Thread.ofVirtual().start(() -> {
                while (System.nanoTime() < end) {
                    long start = System.nanoTime();
                    try {
                        replicatedLog.propose(new byte[bytes]).get();
                        mine.add(System.nanoTime() - start);
                    } catch (InterruptedException | ExecutionException failed) {
                        say("failed " + failed.getMessage());
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
        var after = replicatedLog.stats();
        say("load %d proposers: %d entries/s, p50 %d us, p99 %d us, %d entries with %d syncs"
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
            public byte[] snapshot() {
                return state().getBytes(UTF_8);
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
                say("leader " + leader.map(NodeId::toString).orElse("none"));
            }
        };
    }
}
