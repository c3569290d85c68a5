package habemus.service.algorithm;

import habemus.catalogue.AlgorithmSpec;
import habemus.protocol.Event;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;

/** A lock. The algorithm sees one application, which asks as long as somebody stands in line. */
final class LockGroup<S, M> extends Group<S, M> {

    /** Where the algorithm is. */
    private enum Phase {
        IDLE,
        WAITING,
        HOLDING
    }

    private Phase phase = Phase.IDLE;
    private long fence;

    LockGroup(
            GroupId id,
            AlgorithmSpec algorithmSpec,
            Mutex<S, M> mutex,
            Neighbourhood neighbourhood,
            Dependencies<S, M> dependencies) {
        super(id, algorithmSpec, mutex, neighbourhood, dependencies);
    }

    @Override
    void onQueued() {
        if (phase == Phase.IDLE && !queue.isEmpty()) {
            phase = Phase.WAITING;
            runner.handle(new Event.Acquire<>());
        }
    }

    @Override
    public void onGranted(long next) {
        phase = Phase.HOLDING;
        fence = next;
        grantNext(fence);
        if (!isHeld()) {
            runner.submit(this::releaseIfUnused); // after this step
        }
        notifyChanged();
    }

    /** Whoever asked has gone; unless somebody else has come, it is given back. */
    private void releaseIfUnused() {
        if (phase == Phase.HOLDING && !isHeld()) {
            grantNext(fence);
            if (!isHeld()) {
                onReleased();
            }
        }
    }

    @Override
    void onReleased() {
        phase = Phase.IDLE;
        runner.handle(new Event.Release<>());
        onQueued();
    }

    /** The algorithm has left on its own. */
    @Override
    public void onLost() {
        phase = Phase.IDLE;
        revokeHolder();
        runner.submit(this::onQueued);
        notifyChanged();
    }

    @Override
    public void onElected(NodeId leader, long term) {
        throw new IllegalStateException("a lock elects nobody");
    }

    @Override
    GroupStatus describe() {
        return status(0, 0);
    }
}
