package habemus.catalogue;

import static habemus.world.Hazard.CRASH;
import static habemus.world.Hazard.DUPLICATION;
import static habemus.world.Hazard.LOSS;
import static habemus.world.Hazard.PARTITION;
import static habemus.world.Hazard.PAUSE;
import static habemus.world.Hazard.REORDER;
import static habemus.world.Hazard.RESTART;
import static habemus.world.Hazard.SLOWNESS;
import static habemus.world.Property.DEADLOCK_FREEDOM;
import static habemus.world.Property.FENCES_GROW;
import static habemus.world.Property.MUTUAL_EXCLUSION;
import static habemus.world.Property.NO_STARVATION;
import static habemus.world.Property.TOLD_BEFORE_REGRANTED;

import habemus.fenced.Fenced;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** The entry of the production lock. */
final class OnLog {

    private static final Option<Integer> SERVICES = Option.number(
            "services", 0, "how many nodes of the service there are, after the log, n1; 0: half of the others");
    private static final Option<Duration> LEASE = Option.wait(
            "lease", Duration.ofMillis(240), "after what time a client of whom nothing is heard loses what it has");
    private static final Option<Duration> REIGN = Option.duration(
            "reign", Duration.ofMillis(960), "for how long one node of the service leads at most; 0: for ever");
    private static final Option<Boolean> SEVERAL = Option.flag("several", "everybody wants two locks at once");
    private static final Option<Boolean> LEAD =
            Option.flag("lead", "everybody wants to lead instead, some with a higher rank");
    private static final Option<Duration> TOLERANCE = Option.duration(
            "tolerance", Duration.ZERO, "after what time an operator takes it from whoever has it; 0: never");

    private OnLog() {}

    static Algorithm fenced() {
        return Draft.mutex("fenced", "the production lock: ask a node of the service, which asks a replicated log, n1")
                .option(SERVICES)
                .option(LEASE)
                .option(REIGN)
                .option(SEVERAL)
                .option(LEAD)
                .option(TOLERANCE)
                .retrying()
                .coordinatedBy(setting -> NodeSet.of(IntStream.rangeClosed(1, 1 + services(setting))
                        .mapToObj(NodeId::new)
                        .toList()))
                .promises(OnLog::promises)
                .madeBy(setting -> new Fenced(
                        services(setting),
                        setting.get(LEASE),
                        setting.get(REIGN),
                        aim(setting),
                        setting.get(TOLERANCE)));
    }

    private static Fenced.Aim aim(Setting setting) {
        return setting.get(LEAD) ? Fenced.Aim.LEAD : setting.get(SEVERAL) ? Fenced.Aim.SEVERAL : Fenced.Aim.ONE;
    }

    private static int services(Setting setting) {
        int some = setting.get(SERVICES);
        return some > 0 ? some : Math.max(1, (setting.nodes() - 1) / 2);
    }

    /**
     * Whoever stands still may overlap with another, but learns it in time; to get in takes swift messages. An operator
     * asks nobody: who hears late of being let in may have been put out, and another be in. What a resource makes of
     * their fences is the same.
     */
    private static List<Promise> promises(Setting setting) {
        var swift = new Timing.Prompt(setting.get(LEASE).dividedBy(12));
        var fences = Promise.of(FENCES_GROW)
                .surviving(REORDER, DUPLICATION, LOSS, CRASH, RESTART, PAUSE, PARTITION, SLOWNESS)
                .under(new Timing.Clocked());
        if (!setting.get(TOLERANCE).isZero()) {
            return List.of(Promise.of(FENCES_GROW).under(swift));
        }
        return List.of(
                fences,
                Promise.of(TOLD_BEFORE_REGRANTED)
                        .surviving(REORDER, DUPLICATION, LOSS, CRASH, RESTART, PAUSE, PARTITION, SLOWNESS)
                        .under(new Timing.Clocked()),
                Promise.of(MUTUAL_EXCLUSION)
                        .surviving(REORDER, DUPLICATION, LOSS, CRASH, RESTART, PARTITION, SLOWNESS)
                        .under(new Timing.Clocked()),
                Promise.of(DEADLOCK_FREEDOM, NO_STARVATION)
                        .surviving(REORDER, DUPLICATION, LOSS, CRASH, RESTART, PAUSE, PARTITION, SLOWNESS)
                        .under(swift));
    }
}
