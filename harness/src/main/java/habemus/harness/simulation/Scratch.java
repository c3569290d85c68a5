package habemus.harness.simulation;

import habemus.protocol.NodeId;
import habemus.service.raft.ReplicatedLog;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.stream.*;

public final class Scratch {
    static final class Counter implements ReplicatedLog.StateMachine {
        long n; 
        public void apply(long index, byte[] e) { n++; }
        public CompletableFuture<byte[]> snapshot() { return CompletableFuture.completedFuture(new byte[] {(byte) n}); }
        public void restore(byte[] b) { }
        public void onLeaderChanged(Optional<NodeId> l) { }
    }
    static long[] run(long seed, boolean text) {
        var trace = new RunTrace(text);
        var time = new VirtualTime(trace); trace.setTime(time);
        var random = new SplittableRandom(seed);
        int n = 3 + 2 * (int) (seed & 1);
        var network = new SimulatedNetwork(time, trace, random.split(), n + 8);
        var safety = new LogSafety(trace, 9, true);
        var members = IntStream.rangeClosed(1, n).mapToObj(SimulatedNode::member).toList();
        var nodes = members.stream().map(m -> new SimulatedNode(m.node(), network, random.split(), members, safety)).toList();
        nodes.forEach(x -> x.start(Counter::new));
        long[] done = new long[2];
        for (var node : nodes) propose(node, time, random, done);
        for (int f = 0; f < 10; f++) {
            long at = 3_000_000_000L + f * 4_000_000_000L;
            var node = nodes.get(random.nextInt(n));
            time.at(at, () -> { trace.line(() -> "crash " + node.id); node.crash(); });
            time.at(at + 2_000_000_000L, () -> { trace.line(() -> "start " + node.id); node.start(Counter::new);});
        }
        time.runUntil(60_000_000_000L);
        if (trace.isViolated()) System.out.println(seed + " " + trace.violation());
        if (text) trace.lines().forEach(System.out::println);
        return new long[] {trace.hash(), time.count(), done[0], done[1]};
    }
    static void propose(SimulatedNode node, VirtualTime time, SplittableRandom random, long[] done) {
        time.after(20_000_000 + random.nextLong(200_000_000), () -> {
            if (node.log != null) { node.loop.execute(() -> node.log.propose(new byte[40]).whenComplete((v, f) -> done[f == null ? 0 : 1]++)); }
            propose(node, time, random, done);
        });
    }
    public static void main(String[] a) {
        long first = Long.parseLong(a[0]), count = Long.parseLong(a[1]);
        if (count == 1) { System.out.println(Arrays.toString(run(first, true))); return; }
        for (int round = 0; round < 5; round++) {
            long t = System.nanoTime(); long c = 0, d = 0, e = 0;
            long cpu = java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            for (long s = first; s < first + count; s++) { var r = run(s, false); c += r[1]; d += r[2]; e += r[3]; }
            long cpu2 = java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            System.out.printf("%d seeds %.1f ms/seed cpu %.1f, events %d, done %d failed %d%n", count, (System.nanoTime() - t) / 1e6 / count, (cpu2 - cpu) / 1e6 / count, c / count, d / count, e / count);
        }
    }
}
