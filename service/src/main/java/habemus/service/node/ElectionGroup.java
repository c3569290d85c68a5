package habemus.service.node;

import habemus.catalogue.Recipe;
import habemus.protocol.Election;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.Place;
import habemus.protocol.Watchful;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An election. While this node leads, the first in its line acts as the leader. */
final class ElectionGroup<S, M> extends Group<S, M> {

    private final NodeId self;
    private final boolean listens;
    private @Nullable NodeId leader;
    private long term;

    ElectionGroup(GroupId id, Recipe recipe, Election<S, M> election, Place place, Surroundings<S, M> around) {
        super(id, recipe, election, place, around);
        self = place.self();
        listens = election instanceof Watchful;
    }

    /** Unless somebody leads. */
    void campaign() {
        loop.run(() -> {
            if (leader == null) {
                loop.tell(new Event.Campaign<>());
            }
        });
    }

    /** An algorithm that does not listen to the detector is asked for a new leader when the old one is missed. */
    @Override
    void suspect(NodeId peer, boolean down) {
        super.suspect(peer, down);
        if (down && !listens) {
            loop.run(() -> {
                if (peer.equals(leader)) {
                    loop.tell(new Event.Campaign<>());
                }
            });
        }
    }

    @Override
    void moved() {
        if (self.equals(leader)) {
            letIn(term);
        }
    }

    @Override
    void vacated() {
        moved();
    }

    @Override
    public void elected(NodeId next, long inTerm) {
        if (!Objects.equals(leader, next) || term != inTerm) {
            depose();
            leader = next;
            term = inTerm;
            changed();
        }
        moved();
    }

    @Override
    public void lost() {
        depose();
        leader = null;
        changed();
    }

    @Override
    public void granted(long fence) {
        throw new IllegalStateException("an election grants nothing");
    }

    @Override
    Account describe() {
        return account(leader == null ? 0 : leader.number(), term);
    }
}
