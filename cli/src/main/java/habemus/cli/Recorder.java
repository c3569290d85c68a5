package habemus.cli;

import habemus.lab.trace.Heartbeats;
import habemus.lab.trace.Recording;
import habemus.world.TraceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Keeps what happens in a run, up to a limit: a run may be much longer than anybody wants to look at. */
final class Recorder implements Consumer<TraceLine> {

    /** More cannot be drawn. */
    static final int MOST = 1_000_000;

    /** Heartbeats beyond so many hide everything else: then none are drawn. */
    private static final int DRAWN_BEATS = 120;

    private final int limit;
    private final boolean drawn;
    private int beats;
    private final List<TraceLine> lines = new ArrayList<>();
    private boolean complete = true;

    /** @param drawn whether it is kept only to be drawn, and so without what is not drawn */
    Recorder(int limit, boolean drawn) {
        this.limit = limit;
        this.drawn = drawn;
    }

    @Override
    public void accept(TraceLine line) {
        if (drawn && Heartbeats.isPulse(line)) {
            return;
        }
        beats += Heartbeats.areAll(line) ? 1 : 0;
        if (drawn && hidesBeats() && Heartbeats.areAll(line)) {
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

    List<TraceLine> lines() {
        return drawn ? withoutBeats() : lines;
    }

    /** Whether there are too many heartbeats to draw them. */
    boolean hidesBeats() {
        return beats > DRAWN_BEATS;
    }

    private List<TraceLine> withoutBeats() {
        return !hidesBeats()
                ? lines
                : lines.stream()
                        .filter(line -> !Heartbeats.areAll(line))
                        .map(Heartbeats::without)
                        .toList();
    }

    Recording recording(Experiment experiment) {
        var title = experiment.headline() + (hidesBeats() ? ", heartbeats not drawn" : "");
        return new Recording(title, experiment.world().topology().nodes(), withoutBeats());
    }
}
