package habemus.simulate;

import habemus.protocol.LogCall;
import habemus.protocol.LogView;
import habemus.protocol.NodeId;
import habemus.world.LogClient;
import habemus.world.SeededRandom;
import habemus.world.Workload;
import habemus.world.World;
import org.jspecify.annotations.Nullable;

/** The clients of a replicated log: each finds a leader, makes one call after the other, and awaits no reply. */
final class LogCallDriver {

    private static final long RETRY_MICROS = 50_000; // until the next look for a leader
    private static final int MAX_TOGETHER = 3; // proposals that are made together

    private final SimulationLoop<?, ?> loop;
    private final World world;
    private final Workload.LogCallMix mix;
    private final SeededRandom random;
    private final ScheduledInputs scheduledInputs;
    private final WorkloadDriver workloadDriver;
    private long nextId = 1;

    LogCallDriver(
            SimulationLoop<?, ?> loop,
            World world,
            SeededRandom random,
            ScheduledInputs scheduledInputs,
            WorkloadDriver workloadDriver) {
        this.loop = loop;
        this.world = world;
        this.random = random;
        this.scheduledInputs = scheduledInputs;
        this.workloadDriver = workloadDriver;
        mix = world.workload().mix();
    }

    void onDue(int node, int version) {
        if (version == PackedEvent.FROM_WORKLOAD) {
            workloadDriver.addRequests(node, version);
        }
        if (!workloadDriver.wantsToRequest(node)) {
            return;
        }
        var leader = leader();
        if (leader == null) {
            scheduledInputs.scheduleRequest(RETRY_MICROS, node, workloadDriver.version(node));
            return;
        }
        workloadDriver.countRequest(node);
        call(leader);
        if (workloadDriver.wantsToRequest(node)) {
            scheduledInputs.scheduleRequest(workloadDriver.drawThinkTime(), node, workloadDriver.version(node));
        }
    }

    /** A random one of the nodes that consider themselves leaders. */
    private @Nullable NodeId leader() {
        var leaders = loop.nodes().stream()
                .filter(node -> leads(loop.logView(node.number())))
                .toList();
        return leaders.isEmpty() ? null : leaders.get(random.nextInt(leaders.size()));
    }

    private static boolean leads(@Nullable LogView view) {
        return view != null && view.leads();
    }

    private void call(NodeId leader) {
        var view = loop.logView(leader.number());
        if (view == null) {
            return;
        }
        int draw = random.nextInt(100);
        if ((draw -= mix.reads()) < 0) {
            loop.call(leader.number(), new LogCall.Read(nextId++));
        } else if ((draw -= mix.snapshots()) < 0) {
            compactSomewhere();
        } else if ((draw -= mix.memberChanges()) < 0) {
            var changes = LogClient.memberChanges(view, world.topology().nodes());
            var change = changes.get(random.nextInt(changes.size()));
            loop.call(leader.number(), new LogCall.ChangeMembers(nextId++, change));
        } else if (draw - mix.transfers() < 0) {
            var targets = LogClient.transferTargets(view, leader).toList();
            if (!targets.isEmpty()) {
                var target = targets.get(random.nextInt(targets.size()));
                loop.call(leader.number(), new LogCall.TransferLeadership(target));
            }
        } else {
            int count = 1 + random.nextInt(MAX_TOGETHER);
            nextId += count;
            loop.call(leader.number(), LogClient.propose(view, nextId - count, count));
        }
    }

    /** Any node that is up may take a snapshot of what it has applied. */
    private void compactSomewhere() {
        var node = loop.nodes().get(random.nextInt(loop.nodes().size()));
        var view = loop.logView(node.number());
        if (view != null && view.commitIndex() > view.log().baseIndex()) {
            loop.call(node.number(), LogClient.compact(view));
        }
    }
}
