package habemus.service.algorithm;

import habemus.catalogue.AlgorithmSpec;
import habemus.protocol.Effect;
import habemus.protocol.Election;
import habemus.protocol.Event;
import habemus.protocol.FailureAware;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An election. While this node is the leader, the first client in its queue acts as the leader. */
final class ElectionGroup<S, M> extends Group<S, M> {

    private final NodeId self;
    private final boolean isFailureAware;
    private @Nullable NodeId leader;
    private long term;

    ElectionGroup(
            GroupId id,
            AlgorithmSpec spec,
            Election<S, M> election,
            Neighbourhood neighbourhood,
            Dependencies<S, M> dependencies) {
        super(id, spec, election, neighbourhood, dependencies);
        self = neighbourhood.self();
        isFailureAware = election instanceof FailureAware;
    }

    /** Starts the election, unless there is a leader. */
    void campaign() {
        runner.submit(() -> {
            if (leader == null) {
                runner.handle(new Event.Campaign<>());
            }
        });
    }

    /** An algorithm that ignores the failure detector campaigns when the leader is suspected. */
    @Override
    void setSuspected(NodeId peer, boolean isSuspected) {
        super.setSuspected(peer, isSuspected);
        if (isSuspected && !isFailureAware) {
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
    public void onNotified(Effect<M> effect) {
        switch (effect) {
            case Effect.Elected<M>(var newLeader, var newTerm) -> onElected(newLeader, newTerm);
            case Effect.Lost<M>() -> onLost();
            default -> throw new IllegalStateException("an election must elect or lose, was " + effect);
        }
    }

    private void onElected(NodeId newLeader, long newTerm) {
        if (!Objects.equals(leader, newLeader) || term != newTerm) {
            revokeHolder();
            leader = newLeader;
            term = newTerm;
            notifyChanged();
        }
        onQueued();
    }

    private void onLost() {
        revokeHolder();
        leader = null;
        notifyChanged();
    }

    @Override
    GroupStatus describe() {
        return status(leader == null ? 0 : leader.number(), term);
    }
}
