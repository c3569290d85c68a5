package habemus.service.node;

import habemus.catalogue.Recipe;
import habemus.protocol.Event;
import habemus.protocol.Mutex;
import habemus.protocol.NodeId;
import habemus.protocol.Place;

/** A lock. The algorithm sees one application, which asks as long as somebody stands in line. */
final class LockGroup<S, M> extends Group<S, M> {

    /** Where the algorithm is. */
    private enum Where {
        OUT,
        WAITING,
        INSIDE
    }

    private Where where = Where.OUT;
    private long fence;

    LockGroup(GroupId id, Recipe recipe, Mutex<S, M> mutex, Place place, Surroundings<S, M> around) {
        super(id, recipe, mutex, place, around);
    }

    @Override
    void moved() {
        if (where == Where.OUT && !line.isEmpty()) {
            where = Where.WAITING;
            loop.tell(new Event.Acquire<>());
        }
    }

    @Override
    public void granted(long next) {
        where = Where.INSIDE;
        fence = next;
        letIn(fence);
        if (!isHeld()) {
            loop.run(this::leaveUnused); // after this step
        }
        changed();
    }

    /** Whoever asked has gone; unless somebody else has come, it is given back. */
    private void leaveUnused() {
        if (where == Where.INSIDE && !isHeld()) {
            letIn(fence);
            if (!isHeld()) {
                vacated();
            }
        }
    }

    @Override
    void vacated() {
        where = Where.OUT;
        loop.tell(new Event.Release<>());
        moved();
    }

    /** The algorithm has left on its own. */
    @Override
    public void lost() {
        where = Where.OUT;
        depose();
        loop.run(this::moved);
        changed();
    }

    @Override
    public void elected(NodeId leader, long term) {
        throw new IllegalStateException("a lock elects nobody");
    }

    @Override
    Account describe() {
        return account(0, 0);
    }
}
