package habemus.service.algorithm;

import habemus.catalogue.AlgorithmSpec;
import habemus.protocol.Election;
import habemus.protocol.Event;
import habemus.protocol.FailureAware;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An election. While this node leads, the first in its line acts as the leader. */
final class ElectionGroup<S, M> extends Group<S, M> {

    private final NodeId self;
    private final boolean isFailureAware;
    private @Nullable NodeId leader;
    private long term;

    ElectionGroup(
            GroupId id,
            AlgorithmSpec algorithmSpec,
            Election<S, M> election,
            Neighbourhood neighbourhood,
            Dependencies<S, M> dependencies) {
        super(id, algorithmSpec, election, neighbourhood, dependencies);
        self = neighbourhood.self();
        isFailureAware = election instanceof FailureAware;
    }

    /** Unless somebody leads. */
    void campaign() {
        runner.submit(() -> {
            if (leader == null) {
                runner.handle(new Event.Campaign<>());
            }
        });
    }

    /** An algorithm that does not listen to the detector is asked for a new leader when the old one is missed. */
    @Override
    void setSuspected(NodeId peer, boolean down) {
        super.setSuspected(peer, down);
        if (down && !isFailureAware) {
            runner.submit(() -> {
                if (peer.equals(leader)) {
                    runner.handle(new Event.Campaign<>());
                }
            });
        }
    }

    @Override
    void onQueued() {
        if (self.equals(leader)) {
            grantNext(term);
        }
    }

    @Override
    void onReleased() {
        onQueued();
    }

    @Override
    public void onElected(NodeId next, long inTerm) {
        if (!Objects.equals(leader, next) || term != inTerm) {
            revokeHolder();
            leader = next;
            term = inTerm;
            notifyChanged();
        }
        onQueued();
    }

    @Override
    public void onLost() {
        revokeHolder();
        leader = null;
        notifyChanged();
    }

    @Override
    public void onGranted(long fence) {
        throw new IllegalStateException("an election grants nothing");
    }

    @Override
    GroupStatus describe() {
        return status(leader == null ? 0 : leader.number(), term);
    }
}
