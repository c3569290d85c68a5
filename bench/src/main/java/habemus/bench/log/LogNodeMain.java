package habemus.bench.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.protocol.NodeId;
import habemus.service.log.ReplicatedLog;
import habemus.service.metrics.NodeMetrics;
import habemus.service.raft.LogRecorder;
import habemus.service.raft.RaftLog;
import habemus.service.raft.ReplicatedLogConfig;
import habemus.service.transport.Member;
import habemus.service.transport.NettyEventLoop;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * A node with a replicated log and nothing else. It runs with the classes of this build or of an earlier one, whose log
 * it opens by name. It answers each line of its standard input with one line.
 *
 * <pre>
 *   leader                       the number of the leader; 0 if there is none
 *   load PROPOSERS KIND MILLIS   entries a second, median and 99th percentile of the latency in microseconds
 * </pre>
 */
final class LogNodeMain {

    private static final int ENTRY_BYTES = 60;
    private static final String EARLIER_LOG = "habemus.service.raft.JGroupsRaftLog";

    private final ReplicatedLog log;
    private volatile int leader;

    private LogNodeMain(ReplicatedLog log) {
        this.log = log;
    }

    public static void main(String... args) throws Exception {
        var output = new PrintStream(System.out, true, UTF_8);
        System.setOut(System.err); // libraries print banners
        var members = Member.parse(args[1]);
        var config = ReplicatedLogConfig.of(members, Member.parseNode(args[0]), Path.of(args[2]));
        var node = new LogNodeMain(open(config));
        node.log.start(node.stateMachine());
        output.println("ready");
        try (var lines = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                var words = List.of(line.split(" ", -1));
                output.println(
                        words.getFirst().equals("leader")
                                ? Integer.toString(node.leader)
                                : node.load(
                                        Integer.parseInt(words.get(1)),
                                        ProposerKind.valueOf(words.get(2)),
                                        Long.parseLong(words.get(3))));
            }
        }
        System.exit(0); // the parent has gone
    }

    private static ReplicatedLog open(ReplicatedLogConfig config) throws ReflectiveOperationException {
        try {
            return Class.forName(EARLIER_LOG)
                    .asSubclass(ReplicatedLog.class)
                    .getConstructor(ReplicatedLogConfig.class)
                    .newInstance(config);
        } catch (ClassNotFoundException thisBuild) {
            return OwnLog.open(config);
        }
    }

    /** In a class of its own: an earlier build does not have these classes. */
    private static final class OwnLog {
        static ReplicatedLog open(ReplicatedLogConfig config) {
            return RaftLog.open(config, new NettyEventLoop("log"), LogRecorder.NONE, new NodeMetrics());
        }
    }

    /** Applies nothing. A proxy, because the methods differ between builds. */
    private ReplicatedLog.StateMachine stateMachine() {
        Supplier<byte[]> empty = () -> new byte[1];
        return (ReplicatedLog.StateMachine) Proxy.newProxyInstance(
                LogNodeMain.class.getClassLoader(),
                new Class<?>[] {ReplicatedLog.StateMachine.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("onLeaderChanged")) {
                        leader = ((Optional<?>) arguments[0])
                                .map(node -> ((NodeId) node).number())
                                .orElse(0);
                    }
                    return method.getReturnType() == byte[].class
                            ? empty.get()
                            : method.getReturnType() == Supplier.class ? empty : null;
                });
    }

    /** Each proposer waits for its entry before it proposes the next one. */
    private String load(int proposers, ProposerKind kind, long millis) throws InterruptedException {
        var latencies = new ConcurrentHistogram(3);
        var done = new CountDownLatch(proposers);
        long start = System.nanoTime();
        long end = start + millis * 1_000_000;
        for (int i = 0; i < proposers; i++) {
            switch (kind) {
                case THREAD ->
                    Thread.ofPlatform().daemon().start(() -> {
                        while (System.nanoTime() - end < 0) {
                            long proposed = System.nanoTime();
                            log.propose(new byte[ENTRY_BYTES]).join();
                            latencies.recordValue(System.nanoTime() - proposed);
                        }
                        done.countDown();
                    });
                case CALLBACK -> proposeNext(latencies, end, done);
            }
        }
        done.await();
        double seconds = (System.nanoTime() - start) / 1e9;
        return String.format(
                Locale.ROOT,
                "%.1f %.1f %.1f",
                latencies.getTotalCount() / seconds,
                latencies.getValueAtPercentile(50) / 1e3,
                latencies.getValueAtPercentile(99) / 1e3);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback ends the load if the proposal fails
    private void proposeNext(ConcurrentHistogram latencies, long end, CountDownLatch done) {
        long proposed = System.nanoTime();
        log.propose(new byte[ENTRY_BYTES]).whenComplete((nothing, failed) -> {
            long now = System.nanoTime();
            if (failed != null || now - end >= 0) {
                done.countDown();
            } else {
                latencies.recordValue(now - proposed);
                proposeNext(latencies, end, done);
            }
        });
    }
}
