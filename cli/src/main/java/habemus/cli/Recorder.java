package habemus.cli;

import habemus.lab.trace.Recording;
import habemus.world.TraceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Keeps what happens in a run, up to a limit: a run may be much longer than anybody wants to look at. */
final class Recorder implements Consumer<TraceLine> {

    /** More cannot be drawn. */
    static final int MOST = 1_000_000;

    private final int limit;
    private final List<TraceLine> lines = new ArrayList<>();
    private boolean complete = true;

    Recorder(int limit) {
        this.limit = limit;
    }

    @Override
    public void accept(TraceLine line) {
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
        return lines;
    }

    Recording recording(Experiment experiment) {
        return new Recording(
                experiment.headline(), experiment.world().topology().nodes(), lines);
    }
}
