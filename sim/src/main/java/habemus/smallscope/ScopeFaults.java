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
 * The faults that may occur in a small scope.
 *
 * @param faultKinds empty, or one kind; a restart comes with the kind {@code CRASH}, a lost tail with both
 * @param maxOccurrences how often each kind may occur
 */
public record ScopeFaults(Set<FaultKind> faultKinds, int maxOccurrences) {

    public ScopeFaults {
        faultKinds = Collections.unmodifiableSet(
                faultKinds.isEmpty() ? EnumSet.noneOf(FaultKind.class) : EnumSet.copyOf(faultKinds));
    }

    /** No fault first, then each fault kind that the guarantee tolerates. */
    static List<ScopeFaults> of(Guarantee guarantee) {
        var faults = new ArrayList<ScopeFaults>();
        faults.add(new ScopeFaults(Set.of(), 1));
        for (FaultKind kind : guarantee.tolerates()) {
            switch (kind) {
                case RESTART, AMNESIA -> faults.add(new ScopeFaults(EnumSet.of(FaultKind.CRASH, kind), 1));
                case TAIL_LOSS -> faults.add(new ScopeFaults(EnumSet.of(FaultKind.CRASH, FaultKind.RESTART, kind), 1));
                case REORDER, LOSS, DUPLICATION, CRASH, MISTAKE, JOIN, LEAVE ->
                    faults.add(new ScopeFaults(EnumSet.of(kind), 1));
                case PAUSE -> {
                    if (guarantee.timing() instanceof TimingAssumption.Clocked) { // else a pause is only a slow node
                        faults.add(new ScopeFaults(EnumSet.of(kind), 1));
                    }
                }
                case PARTITION, SLOWNESS, CLOCK_RATE -> {} // covered: messages and timers take arbitrarily long
            }
        }
        return faults;
    }

    /** The same kinds with up to two occurrences, if that makes a difference. */
    Optional<ScopeFaults> twice() {
        return faultKinds.isEmpty() || faultKinds.contains(FaultKind.REORDER)
                ? Optional.empty()
                : Optional.of(new ScopeFaults(faultKinds, 2));
    }

    /** A description; empty if there are no faults. */
    @Override
    public String toString() {
        if (faultKinds.isEmpty()) {
            return "";
        }
        var description = faultKinds.contains(FaultKind.TAIL_LOSS)
                ? "a node crashes, loses an entry that was not synced, and restarts"
                : faultKinds.contains(FaultKind.RESTART)
                        ? "a node crashes and restarts"
                        : faultKinds.contains(FaultKind.AMNESIA)
                                ? "a node crashes and restarts without its durable state"
                                : describe(faultKinds.iterator().next());
        return maxOccurrences == 1 ? description : description + ", up to twice";
    }

    private static String describe(FaultKind kind) {
        return switch (kind) {
            case LOSS -> "a message is lost";
            case DUPLICATION -> "a message is delivered twice";
            case CRASH -> "a node crashes";
            case MISTAKE -> "a live node is suspected";
            case PAUSE -> "a node is paused";
            case JOIN -> "a node joins";
            case LEAVE -> "a node leaves";
            default -> kind.sentence();
        };
    }
}
