package habemus.simulate;

import habemus.protocol.Durable;
import habemus.protocol.Election;
import habemus.protocol.Event;
import habemus.protocol.FailureAware;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Randomized;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.simulate.ScriptedProtocol.Memory;
import habemus.simulate.ScriptedProtocol.Message;
import habemus.simulate.ScriptedProtocol.State;
import habemus.simulate.ScriptedProtocol.Timer;

/** An algorithm that plays the part a test gives it. All it knows is who it is and how many steps it has made. */
abstract class ScriptedProtocol
        implements Timed<State, Message, Timer>,
                FailureAware<State, Message>,
                Durable<State, Message, Memory>,
                Randomized<State, Message> {

    record Message(String text) {}

    enum Timer {
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
    interface Script {
        Step<State, Message> play(Step<State, Message> step, Event<Message> event);
    }

    /** What to do on coming up, which is no event. */
    interface StartScript {
        Step<State, Message> play(Step<State, Message> step);
    }

    private final StartScript startScript;
    private final Script script;

    private ScriptedProtocol(StartScript startScript, Script script) {
        this.startScript = startScript;
        this.script = script;
    }

    static ScriptedProtocol election(Script script) {
        return new Elector(step -> step, script);
    }

    static ScriptedProtocol election(StartScript startScript, Script script) {
        return new Elector(startScript, script);
    }

    static ScriptedProtocol mutex(Script script) {
        return new Locker(script);
    }

    static Message message(String text) {
        return new Message(text);
    }

    Step<State, Message> play(State state, Event<Message> event) {
        return script.play(to(new State(state.self, state.steps + 1)), event);
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return startScript.play(to(new State(neighbourhood.self(), 0)));
    }

    @Override
    public Memory durableState(State state) {
        return new Memory(state.steps);
    }

    @Override
    public Step<State, Message> restart(Neighbourhood neighbourhood, Memory memory) {
        return startScript.play(to(new State(neighbourhood.self(), memory.steps)));
    }

    @Override
    public Step<State, Message> receive(State state, NodeId from, Message message) {
        return play(state, new Event.Received<>(from, message));
    }

    @Override
    public Step<State, Message> timeout(State state, Timer alarm) {
        return play(state, new Event.Timeout<>(alarm));
    }

    @Override
    public boolean isUrgent(Enum<?> alarm) {
        return alarm == Timer.URGENT;
    }

    @Override
    public Step<State, Message> suspect(State state, NodeId peer) {
        return play(state, new Event.Suspect<>(peer));
    }

    @Override
    public Step<State, Message> restore(State state, NodeId peer) {
        return play(state, new Event.Restore<>(peer));
    }

    @Override
    public Step<State, Message> drawn(State state, int outcome) {
        return play(state, new Event.Drawn<>(outcome));
    }

    private static final class Elector extends ScriptedProtocol implements Election<State, Message> {
        Elector(StartScript startScript, Script script) {
            super(startScript, script);
        }

        @Override
        public Step<State, Message> campaign(State state) {
            return play(state, new Event.Campaign<>());
        }
    }

    private static final class Locker extends ScriptedProtocol implements Mutex<State, Message> {
        Locker(Script script) {
            super(step -> step, script);
        }

        @Override
        public Step<State, Message> acquire(State state) {
            return play(state, new Event.Acquire<>());
        }

        @Override
        public Step<State, Message> release(State state) {
            return play(state, new Event.Release<>());
        }
    }
}
