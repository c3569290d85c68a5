package habemus.world;

import java.util.EnumSet;
import java.util.Set;

/** A class of faults. A guarantee names the fault kinds that it tolerates. */
public enum FaultKind {
    REORDER("messages arrive out of order"),
    DUPLICATION("messages are delivered twice"),
    LOSS("messages are lost"),
    CRASH("nodes crash"),
    RESTART("crashed nodes restart with their durable state"),
    AMNESIA("crashed nodes restart without their durable state"),
    PAUSE("nodes are paused"),
    PARTITION("links are partitioned for a while, one way or both ways"),
    SLOWNESS("messages take longer than any bound"),
    MISTAKE("live nodes are suspected"),
    TAIL_LOSS("a crash takes log entries that were not synced"),
    CLOCK_RATE("clocks run faster or slower than others, by a quarter at most"),
    JOIN("nodes join"),
    LEAVE("nodes leave");

    private final String sentence;

    FaultKind(String sentence) {
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }

    @Override
    public String toString() {
        return KebabCase.of(this);
    }

    /**
     * The fault kinds of this world's network and planned faults. Latency has no kind: whether a message is too slow
     * depends on the timing assumption of the algorithm.
     */
    public static Set<FaultKind> of(World world) {
        var kinds = EnumSet.noneOf(FaultKind.class);
        var network = world.network();
        if (!network.inOrder()) {
            kinds.add(REORDER);
        }
        if (network.duplication() > 0) {
            kinds.add(DUPLICATION);
        }
        if (network.loss() > 0) {
            kinds.add(LOSS);
        }
        for (var planned : world.faults()) {
            switch (planned.fault()) {
                case Fault.Crash crash -> kinds.add(CRASH);
                case Fault.Restart restart -> kinds.add(restart.amnesia() ? AMNESIA : RESTART);
                case Fault.Pause pause -> kinds.add(PAUSE);
                case Fault.Cut cut -> kinds.add(PARTITION);
                case Fault.Slow slow -> kinds.add(SLOWNESS);
                case Fault.WrongSuspicion wrongSuspicion -> kinds.add(MISTAKE);
                case Fault.LoseTail loseTail -> kinds.add(TAIL_LOSS);
                case Fault.ClockRate clockRate -> kinds.add(CLOCK_RATE);
                case Fault.Join join -> kinds.add(JOIN);
                case Fault.Leave leave -> kinds.add(LEAVE);
                case Fault.Resume resume -> {}
                case Fault.HealCut healCut -> {}
                case Fault.Correct correct -> {}
                case Fault.Heal heal -> {}
            }
        }
        for (var fault : world.messageFaults()) {
            switch (fault) {
                case MessageFault.Loss loss -> kinds.add(LOSS);
                case MessageFault.Duplication duplication -> kinds.add(DUPLICATION);
                case MessageFault.Delay delay -> {} // a latency
            }
        }
        return kinds;
    }
}
