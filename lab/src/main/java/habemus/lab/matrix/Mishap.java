package habemus.lab.matrix;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Setting;
import habemus.check.Scope;
import habemus.check.Victim;
import habemus.protocol.Durable;
import habemus.protocol.Watchful;
import habemus.world.Hazard;
import habemus.world.Problem;
import java.util.Locale;

/** What goes wrong in a cell of the matrix: one thing, once. */
public enum Mishap {
    NOTHING("none", "nothing goes wrong"),
    REORDER("none", "messages overtake each other"),
    DUPLICATE("twice", "one message arrives twice"),
    LOSS("lost", "one message is lost"),
    PARTITION("cut", "links are cut for a while, once"),
    PAUSE("pause", "one node stands still for a while"),
    BYSTANDER("idle", "a node crashes that neither waits nor is inside, nor leads"),
    WAITER("wait", "a node crashes that waits, or is a candidate"),
    HOLDER("hold", "a node crashes that is inside, or leads"),
    COORDINATOR("coord", "the coordinator crashes"),
    RETURN("back", "a node crashes and comes back with its memory"),
    AMNESIA("amnes", "a node crashes and comes back without its memory"),
    SUSPICION("doubt", "a live node is suspected, once");

    private final String heading;
    private final String words;

    Mishap(String heading, String words) {
        this.heading = heading;
        this.words = words;
    }

    /** Short enough for a column. */
    public String heading() {
        return heading;
    }

    public String words() {
        return words;
    }

    /** Whether it can happen in this world, and is not the same as something else there. */
    boolean befalls(Algorithm algorithm, Setting setting, Scope.Timing timing) {
        boolean used = algorithm.problem() != Problem.DETECTOR; // nobody asks a detector, or is let in by it
        var protocol = algorithm.make(setting);
        return switch (this) {
            case NOTHING, REORDER, DUPLICATE, LOSS, PARTITION, BYSTANDER, AMNESIA -> true;
            case PAUSE -> timing == Scope.Timing.SYNCHRONOUS; // elsewhere who stands still is only slow
            case WAITER, HOLDER -> used;
            case COORDINATOR -> !algorithm.coordinators().apply(setting).isEmpty();
            case RETURN -> protocol instanceof Durable;
            case SUSPICION -> protocol instanceof Watchful;
        };
    }

    /** The same world, with this in it. */
    Scope in(Scope scope, Algorithm algorithm, Setting setting) {
        return switch (this) {
            case NOTHING, REORDER -> scope;
            case DUPLICATE -> scope.allowing(Hazard.DUPLICATION, 1);
            case LOSS -> scope.allowing(Hazard.LOSS, 1);
            case PARTITION -> scope.allowing(Hazard.PARTITION, 1);
            case PAUSE -> scope.allowing(Hazard.PAUSE, 1);
            case BYSTANDER, WAITER, HOLDER, COORDINATOR ->
                scope.allowing(Hazard.CRASH, 1)
                        .striking(victim(algorithm), algorithm.coordinators().apply(setting));
            case RETURN -> scope.allowing(Hazard.CRASH, 1).allowing(Hazard.RESTART, 1);
            case AMNESIA -> scope.allowing(Hazard.CRASH, 1).allowing(Hazard.AMNESIA, 1);
            case SUSPICION -> scope.allowing(Hazard.MISTAKE, 1);
        };
    }

    private Victim victim(Algorithm algorithm) {
        return algorithm.problem() == Problem.DETECTOR ? Victim.ANYONE : Victim.valueOf(name());
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
