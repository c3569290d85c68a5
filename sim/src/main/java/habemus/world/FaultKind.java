package habemus.world;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What a world may do to an algorithm: the terms in which one says what it survives. */
public enum FaultKind {
    REORDER("messages overtake each other"),
    DUPLICATION("messages arrive twice"),
    LOSS("messages are lost"),
    CRASH("nodes crash"),
    RESTART("crashed nodes come back with their memory"),
    AMNESIA("crashed nodes come back without their memory"),
    PAUSE("nodes stand still for a while"),
    PARTITION("links are cut for a while, both ways or one way"),
    SLOWNESS("messages take longer than any bound"),
    MISTAKE("live nodes are suspected");

    private final String sentence;

    FaultKind(String sentence) {
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What is in this world. Whether its latency is a hazard depends on bounds that only an algorithm knows. */
    public static Set<FaultKind> of(World world) {
        var found = EnumSet.noneOf(FaultKind.class);
        var networkModel = world.networkModel();
        if (!networkModel.inOrder()) {
            found.add(REORDER);
        }
        if (networkModel.duplication() > 0) {
            found.add(DUPLICATION);
        }
        if (networkModel.loss() > 0) {
            found.add(LOSS);
        }
        for (var plannedFault : world.faults()) {
            switch (plannedFault.fault()) {
                case Fault.Crash crash -> found.add(CRASH);
                case Fault.Restart restart -> found.add(restart.amnesia() ? AMNESIA : RESTART);
                case Fault.Pause pause -> found.add(PAUSE);
                case Fault.Cut cut -> found.add(PARTITION);
                case Fault.Slow slow -> found.add(SLOWNESS);
                case Fault.WrongSuspicion wrongSuspicion -> found.add(MISTAKE);
                case Fault.Resume resume -> {}
                case Fault.HealCut healCut -> {}
                case Fault.Correct correct -> {}
                case Fault.Heal heal -> {}
            }
        }
        return found;
    }
}
