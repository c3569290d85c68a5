package habemus.client;

import habemus.fenced.Parcel;
import habemus.fenced.Talk;
import habemus.protocol.NodeId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The connection to a node; those to nodes that were asked before and are silent; and maybe one to a better node that
 * is being tried. Which node the session's node numbers mean is decided here, each time it turns to another one. For
 * the driver's turn alone, but for {@link #flush}.
 */
final class Lines {

    /** So long it does not go back to where it came from, when two nodes disagree on who leads. */
    private static final long CALM = Duration.ofSeconds(10).toNanos();

    private final Line.Cable cable;
    private final Line.Ear ear;
    private final Doors doors;
    private final Sights sights;
    private final Map<Door, Line> silent = new HashMap<>(); // to nodes that may still answer
    private volatile Optional<Line> line = Optional.empty();
    private Optional<Line> better = Optional.empty();
    private Optional<Door> left = Optional.empty();
    private long calmUntil = System.nanoTime();

    Lines(Options options, Line.Ear ear, Sights sights) {
        cable = Line.Cable.of(options);
        doors = new Doors(options.doors());
        this.ear = ear;
        this.sights = sights;
    }

    private boolean isCurrent(Line other) {
        return line.equals(Optional.of(other));
    }

    /** Whether what is heard there counts. */
    boolean isOpen(Line other) {
        return isCurrent(other) || other.equals(silent.get(other.door()));
    }

    /**
     * To the node that the session calls so. If that is not the one at the other end, it is another one from now on.
     * The silent one is kept too: maybe all are slow, and whoever hangs up too soon hears nothing from any of them.
     */
    void send(NodeId node, Parcel.ToService parcel) {
        if (line.filter(open -> open.node().equals(node)).isEmpty()) {
            var before = line;
            before.ifPresent(this::keep);
            var door = doors.next(before.map(Line::door));
            use(again(door, node).orElseGet(() -> dial(door, node)));
        }
        send(parcel);
    }

    /** Unless too much has been said there already. */
    private Optional<Line> again(Door door, NodeId node) {
        var known = silent.remove(door);
        if (known == null) {
            return Optional.empty();
        }
        if (known.isFull()) {
            known.drop();
            return Optional.empty();
        }
        known.call(node);
        return Optional.of(known);
    }

    private void keep(Line unheard) {
        doors.failed(unheard.door(), !unheard.isWaiting(), "no answer in time");
        silent.put(unheard.door(), unheard);
    }

    /**
     * Whoever answers first is the one to talk to.
     *
     * @param node what the session calls it from now on
     */
    void answered(Line by, NodeId node) {
        by.answered();
        if (!isCurrent(by)) {
            silent.remove(by.door());
            line.ifPresent(Line::drop);
            by.call(node);
            use(by);
        }
        dropSilent();
    }

    private void dropSilent() {
        silent.values().forEach(Line::drop);
        silent.clear();
    }

    /** If there is a line. */
    void send(Parcel.ToService parcel) {
        line.ifPresent(open -> open.send(parcel));
    }

    /** After the turn, so that nothing that is due waits for it. */
    void flush() {
        line.ifPresent(Line::flush);
    }

    private Line dial(Door door, NodeId node) {
        return Line.open(door, node, cable, ear, doors.pauseBefore(door));
    }

    private void use(Line next) {
        line = Optional.of(next);
        if (sights.isWatched()) {
            next.send(new Parcel.Said(new Talk.Watch()));
        }
        sights.open().forEach(next::send);
        sights.missed();
    }

    /** {@return whether it is the one that was in use} */
    boolean broke(Line broken, String why) {
        doors.failed(broken.door(), true, why);
        better = better.filter(other -> !other.equals(broken));
        silent.remove(broken.door(), broken);
        boolean inUse = isCurrent(broken);
        line = line.filter(open -> !open.equals(broken));
        return inUse;
    }

    void welcomed(Line by, Parcel.Welcome welcome) {
        by.greeted();
        doors.served(by.door());
        doors.learn(welcome);
    }

    /** Tries the leader's door, if this is another one. Until it works, nothing is given up. */
    void improve(NodeId other) {
        if (line.isPresent() && better.isEmpty()) {
            boolean calm = System.nanoTime() - calmUntil >= 0;
            better = doors.betterThan(line.get().door())
                    .filter(door -> calm || !left.equals(Optional.of(door)))
                    .map(door -> dial(door, other));
        }
    }

    /**
     * If it is the better node that was tried, it is used from now on.
     *
     * @param other what the session would call the next node
     */
    boolean isImprovedBy(Line works, NodeId other) {
        if (!better.equals(Optional.of(works))) {
            return false;
        }
        better = Optional.empty();
        works.call(other);
        left = line.map(Line::door);
        calmUntil = System.nanoTime() + CALM;
        line.ifPresent(Line::drop);
        dropSilent();
        use(works);
        return true;
    }

    void drop() {
        line.ifPresent(Line::drop);
        better.ifPresent(Line::drop);
        dropSilent();
        line = Optional.empty();
        better = Optional.empty();
    }

    String troubles() {
        return doors.troubles();
    }
}
