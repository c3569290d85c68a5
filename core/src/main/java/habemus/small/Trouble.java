package habemus.small;

import habemus.catalogue.Promise;
import habemus.catalogue.Timing;
import habemus.world.Hazard;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What may strike in a small world.
 *
 * @param hazards none, or the one; who comes back has crashed before
 * @param times how often it may strike
 */
public record Trouble(Set<Hazard> hazards, int times) {

    public Trouble {
        hazards =
                Collections.unmodifiableSet(hazards.isEmpty() ? EnumSet.noneOf(Hazard.class) : EnumSet.copyOf(hazards));
    }

    /** Nothing at first, then each that the promise survives. */
    static List<Trouble> of(Promise promise) {
        var troubles = new ArrayList<Trouble>();
        troubles.add(new Trouble(Set.of(), 1));
        for (Hazard hazard : promise.survives()) {
            switch (hazard) {
                case RESTART, AMNESIA -> troubles.add(new Trouble(EnumSet.of(Hazard.CRASH, hazard), 1));
                case REORDER, LOSS, DUPLICATION, CRASH, MISTAKE -> troubles.add(new Trouble(EnumSet.of(hazard), 1));
                case PAUSE -> {
                    if (promise.timing() instanceof Timing.Clocked) { // elsewhere who stands still is only slow
                        troubles.add(new Trouble(EnumSet.of(hazard), 1));
                    }
                }
                case PARTITION, SLOWNESS -> {} // in every world messages take as long as they like, or are lost
            }
        }
        return troubles;
    }

    /** The same once more; nothing if that is no different. */
    Optional<Trouble> twice() {
        return hazards.isEmpty() || hazards.contains(Hazard.REORDER)
                ? Optional.empty()
                : Optional.of(new Trouble(hazards, 2));
    }

    /** Empty if there is none. */
    @Override
    public String toString() {
        if (hazards.isEmpty()) {
            return "";
        }
        var what = hazards.contains(Hazard.RESTART)
                ? "a node crashes and comes back"
                : hazards.contains(Hazard.AMNESIA)
                        ? "a node crashes and comes back without its memory"
                        : words(hazards.iterator().next());
        return times == 1 ? what : what + ", up to twice";
    }

    private static String words(Hazard hazard) {
        return switch (hazard) {
            case LOSS -> "a message is lost";
            case DUPLICATION -> "a message arrives twice";
            case CRASH -> "a node crashes";
            case MISTAKE -> "a live node is suspected";
            case PAUSE -> "a node stands still for a while";
            default -> hazard.sentence();
        };
    }
}
