package habemus.smallscope;

import habemus.catalogue.Guarantee;
import habemus.catalogue.TimingAssumption;
import habemus.world.FaultKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What may strike in a small world.
 *
 * @param faultKinds none, or the one; who comes back has crashed before
 * @param maxOccurrences how often it may strike
 */
public record ScopeFaults(Set<FaultKind> faultKinds, int maxOccurrences) {

    public ScopeFaults {
        faultKinds = Collections.unmodifiableSet(
                faultKinds.isEmpty() ? EnumSet.noneOf(FaultKind.class) : EnumSet.copyOf(faultKinds));
    }

    /** Nothing at first, then each that the promise survives. */
    static List<ScopeFaults> of(Guarantee guarantee) {
        var scopeFaultses = new ArrayList<ScopeFaults>();
        scopeFaultses.add(new ScopeFaults(Set.of(), 1));
        for (FaultKind faultKind : guarantee.tolerates()) {
            switch (faultKind) {
                case RESTART, AMNESIA -> scopeFaultses.add(new ScopeFaults(EnumSet.of(FaultKind.CRASH, faultKind), 1));
                case REORDER, LOSS, DUPLICATION, CRASH, MISTAKE ->
                    scopeFaultses.add(new ScopeFaults(EnumSet.of(faultKind), 1));
                case PAUSE -> {
                    if (guarantee.timingAssumption()
                            instanceof TimingAssumption.Clocked) { // elsewhere who stands still is only slow
                        scopeFaultses.add(new ScopeFaults(EnumSet.of(faultKind), 1));
                    }
                }
                case PARTITION, SLOWNESS -> {} // in every world messages take as long as they like, or are lost
            }
        }
        return scopeFaultses;
    }

    /** The same once more; nothing if that is no different. */
    Optional<ScopeFaults> twice() {
        return faultKinds.isEmpty() || faultKinds.contains(FaultKind.REORDER)
                ? Optional.empty()
                : Optional.of(new ScopeFaults(faultKinds, 2));
    }

    /** Empty if there is none. */
    @Override
    public String toString() {
        if (faultKinds.isEmpty()) {
            return "";
        }
        var what = faultKinds.contains(FaultKind.RESTART)
                ? "a node crashes and comes back"
                : faultKinds.contains(FaultKind.AMNESIA)
                        ? "a node crashes and comes back without its memory"
                        : describe(faultKinds.iterator().next());
        return maxOccurrences == 1 ? what : what + ", up to twice";
    }

    private static String describe(FaultKind faultKind) {
        return switch (faultKind) {
            case LOSS -> "a message is lost";
            case DUPLICATION -> "a message arrives twice";
            case CRASH -> "a node crashes";
            case MISTAKE -> "a live node is suspected";
            case PAUSE -> "a node stands still for a while";
            default -> faultKind.sentence();
        };
    }
}
