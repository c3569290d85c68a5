package habemus.lab.run;

import habemus.lab.experiment.Experiment;
import habemus.lab.trace.HeartbeatFilter;
import habemus.lab.trace.IdleHeartbeats;
import habemus.lab.trace.Recording;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Records the events of a run up to a limit. */
public final class TraceBuffer implements Consumer<TraceEvent> {

    /** The maximum number of events in a drawing. */
    public static final int MAX_EVENTS = 1_000_000;

    /** With more heartbeats none are drawn, because they would hide everything else. */
    private static final int MAX_DRAWN_HEARTBEATS = 120;

    private final int limit;
    private final boolean forDrawing;
    private int heartbeats;
    private final List<TraceEvent> lines = new ArrayList<>();
    private boolean complete = true;

    /** Records the events that a drawing shows. */
    public static TraceBuffer forDrawing() {
        return new TraceBuffer(MAX_EVENTS, true);
    }

    /** @param forDrawing whether events that are not drawn may be left out */
    public TraceBuffer(int limit, boolean forDrawing) {
        this.limit = limit;
        this.forDrawing = forDrawing;
    }

    @Override
    public void accept(TraceEvent line) {
        if (forDrawing && HeartbeatFilter.isDetectorTick(line)) {
            return;
        }
        heartbeats += HeartbeatFilter.isOnlyHeartbeats(line) ? 1 : 0;
        if (forDrawing && hidesHeartbeats() && HeartbeatFilter.isOnlyHeartbeats(line)) {
            return;
        }
        if (lines.size() < limit) {
            lines.add(line);
        } else {
            complete = false;
        }
    }

    /** Whether all events were recorded, and recording was enabled. */
    public boolean isComplete() {
        return complete && limit > 0;
    }

    public List<TraceEvent> lines() {
        return forDrawing ? withoutHeartbeats() : lines;
    }

    /** Whether there are too many heartbeats to draw. */
    public boolean hidesHeartbeats() {
        return heartbeats > MAX_DRAWN_HEARTBEATS;
    }

    /** Whether some heartbeats of a replicated log are left out, because they change nothing. */
    public boolean hidesIdleHeartbeats() {
        return forDrawing && IdleHeartbeats.remove(lines).size() < lines.size();
    }

    private List<TraceEvent> withoutHeartbeats() {
        var some = IdleHeartbeats.remove(lines);
        return !hidesHeartbeats()
                ? some
                : some.stream()
                        .filter(line -> !HeartbeatFilter.isOnlyHeartbeats(line))
                        .map(HeartbeatFilter::withoutHeartbeats)
                        .toList();
    }

    public Recording recording(Experiment experiment) {
        var title = experiment.headline() + (hidesHeartbeats() ? ", heartbeats not drawn" : "");
        return new Recording(
                title,
                experiment.world().topology().nodes(),
                withoutHeartbeats(),
                experiment.names(),
                experiment.timeScale());
    }
}
