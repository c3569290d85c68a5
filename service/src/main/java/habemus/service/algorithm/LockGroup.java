package habemus.service.algorithm;

import habemus.catalogue.AlgorithmSpec;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;

/** A lock. The algorithm serves one application, which acquires as long as clients of this node are queued. */
final class LockGroup<S, M> extends Group<S, M> {

    /** What the application has requested of the algorithm. */
    private enum Phase {
        IDLE,
        WAITING,
        HOLDING
    }

    private Phase phase = Phase.IDLE;
    private long fence;

    LockGroup(
            GroupId id,
            AlgorithmSpec spec,
            Mutex<S, M> mutex,
            Neighbourhood neighbourhood,
            Dependencies<S, M> dependencies) {
        super(id, spec, mutex, neighbourhood, dependencies);
    }

    @Override
    void onQueued() {
        if (phase == Phase.IDLE && !queue.isEmpty()) {
            phase = Phase.WAITING;
            runner.handle(new Event.Acquire<>());
        }
    }

    @Override
    boolean isIdle() {
        return super.isIdle() && phase == Phase.IDLE;
    }

    @Override
    public void onNotified(Effect<M> effect) {
        switch (effect) {
            case Effect.Grant<M>(var newFence) -> onGranted(newFence);
            case Effect.Lost<M>() -> onLost();
            default -> throw new IllegalStateException("a lock must grant or lose, was " + effect);
        }
    }

    private void onGranted(long newFence) {
        phase = Phase.HOLDING;
        fence = newFence;
        grantNext(fence);
        if (!isHeld()) {
            runner.submit(this::releaseIfUnused); // after this step
        }
        notifyChanged();
    }

    /** All clients that have waited are gone: releases the lock, unless another client has come. */
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

    /** The algorithm has lost the lock. */
    private void onLost() {
        phase = Phase.IDLE;
        revokeHolder();
        runner.submit(this::onQueued);
        notifyChanged();
    }

    @Override
    GroupStatus describe() {
        return status(0, 0);
    }
}
