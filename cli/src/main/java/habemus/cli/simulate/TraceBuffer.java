package habemus.cli.simulate;

import habemus.cli.experiment.Experiment;
import habemus.lab.trace.HeartbeatFilter;
import habemus.lab.trace.Recording;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Keeps what happens in a run, up to a limit: a run may be much longer than anybody wants to look at. */
final class TraceBuffer implements Consumer<TraceEvent> {

    /** More cannot be drawn. */
    static final int MAX_EVENTS = 1_000_000;

    /** Heartbeats beyond so many hide everything else: then none are drawn. */
    private static final int MAX_DRAWN_HEARTBEATS = 120;

    private final int limit;
    private final boolean forDrawing;
    private int heartbeats;
    private final List<TraceEvent> lines = new ArrayList<>();
    private boolean complete = true;

    /** @param forDrawing whether it is kept only to be drawn, and so without what is not drawn */
    TraceBuffer(int limit, boolean forDrawing) {
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

    /** Whether all of it was kept, and something was to be. */
    boolean isComplete() {
        return complete && limit > 0;
    }

    List<TraceEvent> lines() {
        return forDrawing ? withoutHeartbeats() : lines;
    }

    /** Whether there are too many heartbeats to draw them. */
    boolean hidesHeartbeats() {
        return heartbeats > MAX_DRAWN_HEARTBEATS;
    }

    private List<TraceEvent> withoutHeartbeats() {
        return !hidesHeartbeats()
                ? lines
                : lines.stream()
                        .filter(line -> !HeartbeatFilter.isOnlyHeartbeats(line))
                        .map(HeartbeatFilter::withoutHeartbeats)
                        .toList();
    }

    Recording recording(Experiment experiment) {
        var title = experiment.headline() + (hidesHeartbeats() ? ", heartbeats not drawn" : "");
        return new Recording(title, experiment.world().topology().nodes(), withoutHeartbeats());
    }
}
