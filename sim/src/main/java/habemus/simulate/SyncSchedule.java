package habemus.simulate;

import habemus.protocol.LogView;
import habemus.world.SeededRandom;

/** The syncs of the disks of a replicated log. A disk syncs what was appended, one sync at a time. */
final class SyncSchedule {

    private static final int MAX_SYNC_MICROS = 2_000;

    private final SeededRandom random;
    private final TimingWheel wheel;
    private final boolean[] running; // by node
    private final int[] generations; // a sync of an earlier generation was cancelled

    SyncSchedule(int size, SeededRandom random, TimingWheel wheel) {
        this.random = random;
        this.wheel = wheel;
        running = new boolean[size];
        generations = new int[size];
    }

    boolean isRunning(int node) {
        return running[node];
    }

    void schedule(int node, LogView view) {
        if (!view.isSynced() && !running[node]) {
            running[node] = true;
            wheel.schedule(
                    wheel.now() + random.nextInt(MAX_SYNC_MICROS),
                    PackedEvent.of(PackedEvent.SYNC, node, generations[node]),
                    view.log().last());
        }
    }

    void cancel(int node) {
        generations[node]++;
        running[node] = false;
    }

    /** The sync is over. Returns false if it was cancelled. */
    boolean complete(int node, int generation) {
        boolean isCurrent = generation == generations[node];
        running[node] &= !isCurrent;
        return isCurrent;
    }
}
