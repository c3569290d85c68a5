package habemus.service.raft;

import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.LogView;
import habemus.protocol.Step;
import habemus.raft.Raft;
import habemus.raft.RaftMessage;
import habemus.raft.RaftState;
import org.jspecify.annotations.Nullable;

/** Sees what property monitors see of the steps of a log. Called on the event loop of the log. */
public interface LogObserver {

    /** The machine starts with this log. */
    void onStart(LogView view);

    /** The machine takes a step, and its effects follow. */
    void onStep(LogView before, LogView after);

    void onEffect(Effect<?> effect);

    /** Shows the steps of one life of a log to an observer. */
    static LogRecorder recorder(LogObserver observer) {
        return new LogRecorder() {
            private @Nullable Raft machine;
            private @Nullable LogView last;

            @Override
            public void onStart(Raft raft, RaftState.DurableState durable, Step<RaftState, RaftMessage> step) {
                machine = raft;
                last = raft.view(step.state());
                observer.onStart(last);
                step.effects().forEach(observer::onEffect);
            }

            @Override
            public void onStep(Event<RaftMessage> event, Step<RaftState, RaftMessage> step) {
                if (machine != null && last != null) {
                    var next = machine.view(step.state());
                    observer.onStep(last, next);
                    last = next;
                    step.effects().forEach(observer::onEffect);
                }
            }
        };
    }
}
