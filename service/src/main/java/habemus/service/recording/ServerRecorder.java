package habemus.service.recording;

import habemus.lockservice.protocol.LockServer;
import habemus.lockservice.protocol.Message;
import habemus.protocol.Step;

/** Records the steps of a lock server, each before it takes effect. */
public interface ServerRecorder {

    ServerRecorder NONE = new ServerRecorder() {
        @Override
        public void onStart(LockServer lockServer) {}

        @Override
        public void onStep(ServerInput input, Step<LockServer.State, Message> step) {}
    };

    void onStart(LockServer lockServer);

    void onStep(ServerInput input, Step<LockServer.State, Message> step);
}
