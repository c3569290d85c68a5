package habemus.service.raft;

import habemus.protocol.Event;
import habemus.protocol.Step;
import habemus.raft.Raft;
import habemus.raft.RaftMessage;
import habemus.raft.RaftState;

/** Records the steps of the machine of a log, each before it takes effect. Called on the event loop of the log. */
public interface LogRecorder {

    LogRecorder NONE = new LogRecorder() {
        @Override
        public void onStart(Raft raft, RaftState.DurableState durable, Step<RaftState, RaftMessage> step) {}

        @Override
        public void onStep(Event<RaftMessage> event, Step<RaftState, RaftMessage> step) {}
    };

    /** The machine starts with the state of its disk. */
    void onStart(Raft raft, RaftState.DurableState durable, Step<RaftState, RaftMessage> step);

    void onStep(Event<RaftMessage> event, Step<RaftState, RaftMessage> step);
}
