package habemus.simulate;

import habemus.protocol.Dicing;
import habemus.protocol.Durable;
import habemus.protocol.Election;
import habemus.protocol.Event;
import habemus.protocol.Mutex;
import habemus.protocol.NodeId;
import habemus.protocol.Place;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.protocol.Watchful;
import habemus.simulate.Puppet.Bell;
import habemus.simulate.Puppet.Memory;
import habemus.simulate.Puppet.Note;
import habemus.simulate.Puppet.State;

/** An algorithm that plays the part a test gives it. All it knows is who it is and how many steps it has made. */
abstract class Puppet
        implements Timed<State, Note, Bell>, Watchful<State, Note>, Durable<State, Note, Memory>, Dicing<State, Note> {

    record Note(String text) {}

    enum Bell {
        ONE,
        TWO,
        /** Comes before anything that waits. */
        URGENT
    }

    record State(NodeId self, int steps) {
        boolean is(int number) {
            return self.number() == number;
        }
    }

    record Memory(int steps) {}

    /** What to do beyond counting. */
    interface Part {
        Step<State, Note> play(Step<State, Note> step, Event<Note> event);
    }

    /** What to do on coming up, which is no event. */
    interface Opening {
        Step<State, Note> play(Step<State, Note> step);
    }

    private final Opening opening;
    private final Part part;

    private Puppet(Opening opening, Part part) {
        this.opening = opening;
        this.part = part;
    }

    static Puppet electing(Part part) {
        return new Elector(step -> step, part);
    }

    static Puppet electing(Opening opening, Part part) {
        return new Elector(opening, part);
    }

    static Puppet locking(Part part) {
        return new Locker(part);
    }

    static Note note(String text) {
        return new Note(text);
    }

    Step<State, Note> play(State state, Event<Note> event) {
        return part.play(to(new State(state.self, state.steps + 1)), event);
    }

    @Override
    public Step<State, Note> start(Place place) {
        return opening.play(to(new State(place.self(), 0)));
    }

    @Override
    public Memory memory(State state) {
        return new Memory(state.steps);
    }

    @Override
    public Step<State, Note> restart(Place place, Memory memory) {
        return opening.play(to(new State(place.self(), memory.steps)));
    }

    @Override
    public Step<State, Note> receive(State state, NodeId from, Note message) {
        return play(state, new Event.Received<>(from, message));
    }

    @Override
    public Step<State, Note> elapsed(State state, Bell alarm) {
        return play(state, new Event.Elapsed<>(alarm));
    }

    @Override
    public boolean isUrgent(Enum<?> alarm) {
        return alarm == Bell.URGENT;
    }

    @Override
    public Step<State, Note> suspect(State state, NodeId peer) {
        return play(state, new Event.Suspect<>(peer));
    }

    @Override
    public Step<State, Note> restore(State state, NodeId peer) {
        return play(state, new Event.Restore<>(peer));
    }

    @Override
    public Step<State, Note> rolled(State state, int outcome) {
        return play(state, new Event.Rolled<>(outcome));
    }

    private static final class Elector extends Puppet implements Election<State, Note> {
        Elector(Opening opening, Part part) {
            super(opening, part);
        }

        @Override
        public Step<State, Note> campaign(State state) {
            return play(state, new Event.Campaign<>());
        }
    }

    private static final class Locker extends Puppet implements Mutex<State, Note> {
        Locker(Part part) {
            super(step -> step, part);
        }

        @Override
        public Step<State, Note> acquire(State state) {
            return play(state, new Event.Acquire<>());
        }

        @Override
        public Step<State, Note> release(State state) {
            return play(state, new Event.Release<>());
        }
    }
}
