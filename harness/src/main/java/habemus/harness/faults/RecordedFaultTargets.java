package habemus.harness.faults;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Records every fault of the nodes in a {@link MajorityTimeline}. */
public record RecordedFaultTargets(FaultTargets targets, MajorityTimeline timeline) implements FaultTargets {

    @Override
    public List<Integer> nodes() {
        return targets.nodes();
    }

    @Override
    public List<RandomFaults.Kind> kinds() {
        return targets.kinds();
    }

    @Override
    public void kill(int node) {
        timeline.markFaulty(node, "killed");
        targets.kill(node);
    }

    @Override
    public void restart(int node) {
        targets.restart(node);
        timeline.markHealthy(node, "restarted");
    }

    @Override
    public void pause(int node, Duration time) throws InterruptedException {
        timeline.markFaulty(node, "paused");
        targets.pause(node, time);
        timeline.markHealthy(node, "resumed");
    }

    @Override
    public void partition(int node, RandomFaults.Kind kind, Duration time, Random random) throws InterruptedException {
        timeline.markFaulty(node, kind.description());
        targets.partition(node, kind, time, random);
        timeline.markHealthy(node, "healed");
    }
}
