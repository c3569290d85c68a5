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
import habemus.simulate.ScriptedProtocol.DurableState;
import habemus.simulate.ScriptedProtocol.Message;
import habemus.simulate.ScriptedProtocol.State;
import habemus.simulate.ScriptedProtocol.Timer;

/** A protocol whose steps a test scripts. Its state is the node id and the number of steps. */
abstract class ScriptedProtocol
        implements Timed<State, Message, Timer>,
                FailureAware<State, Message>,
                Durable<State, Message, DurableState>,
                Randomized<State, Message> {

    record Message(String text) {}

    enum Timer {
        ONE,
        TWO,
        /** Comes before all other held events. */
        URGENT
    }

    record State(NodeId self, int steps) {
        boolean is(int number) {
            return self.number() == number;
        }
    }

    record DurableState(int steps) {}

    /** The effects of a step. */
    interface Script {
        Step<State, Message> play(Step<State, Message> step, Event<Message> event);
    }

    /** The effects of the start. */
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
    public DurableState durableState(State state) {
        return new DurableState(state.steps);
    }

    @Override
    public Step<State, Message> restart(Neighbourhood neighbourhood, DurableState saved) {
        return startScript.play(to(new State(neighbourhood.self(), saved.steps)));
    }

    @Override
    public Step<State, Message> receive(State state, NodeId from, Message message) {
        return play(state, new Event.Received<>(from, message));
    }

    @Override
    public Step<State, Message> timeout(State state, Timer timer) {
        return play(state, new Event.Timeout<>(timer));
    }

    @Override
    public boolean isUrgent(Enum<?> timer) {
        return timer == Timer.URGENT;
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
