package habemus.harness.simulation;

import habemus.protocol.NodeId;
import habemus.service.raft.LogEnvironment;
import habemus.service.raft.LogObserver;
import habemus.service.raft.RaftLog;
import habemus.service.raft.ReplicatedLog;
import habemus.service.raft.ReplicatedLogConfig;
import habemus.service.raft.StartMode;
import habemus.service.simulation.SimulatedDisk;
import habemus.service.transport.Member;
import habemus.service.transport.TransportSecurity;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

final class SimulatedNode {
    final NodeId id;
    final SimulatedNetwork network;
    final VirtualTime time;
    final SplittableRandom random;
    final List<Member> members;
    final LogSafety safety;
    SimulatedDisk disk = new SimulatedDisk();
    @Nullable SimulatedLoop loop;
    SimulatedNetwork.@Nullable Host host;
    @Nullable RaftLog log;

    static Member member(int n) {
        return new Member(new NodeId(n), new InetSocketAddress("10.0.0." + n, 7600));
    }

    SimulatedNode(NodeId id, SimulatedNetwork network, SplittableRandom random, List<Member> members, LogSafety safety) {
        this.id = id; this.network = network; time = network.time(); this.random = random; this.members = members; this.safety = safety;
    }

    void start(Supplier<ReplicatedLog.StateMachine> machine) {
        var l = new SimulatedLoop(time, 0.95 + random.nextDouble() * 0.1, random.nextLong(1L << 40));
        loop = l;
        var h = network.start(SimulatedTransport.process(id), l);
        host = h;
        disk.setSyncListener(() -> l.block(300_000 + random.nextLong(700_000)));
        safety.onStarted(id);
        l.execute(() -> {
            var config = new ReplicatedLogConfig("habemus", members, id, StartMode.BOOTSTRAP, Path.of("data"), new TransportSecurity.None(), Duration.ofSeconds(10), 100_000);
            var env = new LogEnvironment(l, disk, hs -> new SimulatedTransport(id, hs, network, h),
                task -> time.after(1_000_000 + random.nextLong(20_000_000), () -> { if (!l.isEnded()) task.run(); }), random.split(), safety.of(id));
            log = new RaftLog(config, env);
            log.start(machine.get());
        });
    }

    void crash() {
        loop.end();
        network.end(host, false);
        disk = disk.crash(random);
        log = null;
    }
}
