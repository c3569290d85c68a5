package habemus.check;

import habemus.check.Wavering.Silence;
import habemus.check.Wavering.State;
import habemus.protocol.Detecting;
import habemus.protocol.NodeId;
import habemus.protocol.Place;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import java.time.Duration;

/** Hears nothing, and changes its mind about its neighbour with every beat. */
record Wavering() implements Detecting<State, Silence> {

    enum Silence {}

    record State(NodeId peer, boolean suspects) {}

    @Override
    public Step<State, Silence> start(Place place) {
        return beat(to(new State(place.next(), false)));
    }

    @Override
    public Step<State, Silence> receive(State s, NodeId from, Silence message) {
        throw new ProtocolBug("a message", s);
    }

    @Override
    public Step<State, Silence> elapsed(State s, Pulse beat) {
        var next = to(new State(s.peer, !s.suspects));
        return beat(s.suspects ? next.restore(s.peer) : next.suspect(s.peer));
    }

    private static Step<State, Silence> beat(Step<State, Silence> step) {
        return step.wake(Pulse.BEAT, Duration.ofSeconds(1));
    }
}
