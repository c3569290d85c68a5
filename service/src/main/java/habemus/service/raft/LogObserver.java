package habemus.service.raft;

import habemus.protocol.Effect;
import habemus.protocol.LogView;

/** Sees the steps of the machine of a log, after their durable state is saved. Called on the event loop of the log. */
public interface LogObserver {

    /** An observer that sees nothing. */
    LogObserver NONE = new LogObserver() {
        @Override
        public void onStart(LogView view) {}

        @Override
        public void onStep(LogView before, LogView after) {}

        @Override
        public void onEffect(Effect<?> effect) {}
    };

    /** The machine starts with this log. */
    void onStart(LogView view);

    /** The machine has taken a step, and its effects follow. */
    void onStep(LogView before, LogView after);

    /** The log executes this effect next. */
    void onEffect(Effect<?> effect);
}
