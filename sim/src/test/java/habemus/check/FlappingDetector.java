package habemus.check;

import habemus.check.FlappingDetector.Silence;
import habemus.check.FlappingDetector.State;
import habemus.protocol.FailureDetector;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import java.time.Duration;

/** Suspects and restores its neighbour in turn, at every tick, without any message. */
record FlappingDetector() implements FailureDetector<State, Silence> {

    enum Silence {}

    record State(NodeId peer, boolean suspects) {}

    @Override
    public Step<State, Silence> start(Neighbourhood neighbourhood) {
        return beat(to(new State(neighbourhood.next(), false)));
    }

    @Override
    public Step<State, Silence> receive(State s, NodeId from, Silence message) {
        throw new ProtocolBug("a message", s);
    }

    @Override
    public Step<State, Silence> timeout(State s, Tick beat) {
        var next = to(new State(s.peer, !s.suspects));
        return beat(s.suspects ? next.restore(s.peer) : next.suspect(s.peer));
    }

    private static Step<State, Silence> beat(Step<State, Silence> step) {
        return step.setTimer(Tick.TICK, Duration.ofSeconds(1));
    }
}
