package habemus.harness.faults;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Nodes of which is written down when they are struck and when they are whole again. */
public record RecordedFaultTargets(FaultTargets faultTargets, MajorityTimeline majorityTimeline)
        implements FaultTargets {

    @Override
    public List<Integer> nodes() {
        return faultTargets.nodes();
    }

    @Override
    public List<RandomFaults.Kind> kinds() {
        return faultTargets.kinds();
    }

    @Override
    public void kill(int node) {
        majorityTimeline.markFaulty(node, "killed");
        faultTargets.kill(node);
    }

    @Override
    public void restart(int node) {
        faultTargets.restart(node);
        majorityTimeline.markHealthy(node, "started");
    }

    @Override
    public void pause(int node, Duration time) throws InterruptedException {
        majorityTimeline.markFaulty(node, "stopped");
        faultTargets.pause(node, time);
        majorityTimeline.markHealthy(node, "continued");
    }

    @Override
    public void partition(int node, RandomFaults.Kind how, Duration time, Random random) throws InterruptedException {
        majorityTimeline.markFaulty(node, how.description());
        faultTargets.partition(node, how, time, random);
        majorityTimeline.markHealthy(node, "joined");
    }
}
