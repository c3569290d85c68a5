package habemus.threads;

import habemus.protocol.Milestone;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Operation;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Randomized;
import habemus.protocol.Step;
import habemus.protocol.ThreadProgram;
import habemus.protocol.Timed;
import habemus.threads.ThreadState.Phase;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * Runs a program as a protocol. A program says which objects its threads share, and what each thread does.
 *
 * <p>A thread executes its own statements at once until it accesses a shared object. Then it waits for the answer. So
 * the threads interleave at accesses, and only there: what a thread does alone cannot be observed by another one.
 */
public interface ThreadMachine
        extends ThreadProgram<ProgramState, Access>,
                Randomized<ProgramState, Access>,
                Timed<ProgramState, Access, ThreadMachine.Timer> {

    /** The timer of a thread that pauses. */
    enum Timer {
        WAKE
    }

    Duration PAUSE_SLOT = Duration.ofMillis(50);

    /** A thread that executes more statements without an access never stops. */
    int LOCAL_STATEMENTS_MAX = 1_000;

    List<SharedObject> objects();

    /** @param thread its number, from 1 on */
    List<Statement> code(int thread);

    /** The name of the object with the result of the program; empty if it has none. */
    default String resultName() {
        return "";
    }

    @Override
    default int nodes() {
        return threads() + objects().size();
    }

    @Override
    default OptionalLong result(ProgramState state) {
        return state instanceof Memory.Variable variable && variable.name().equals(resultName())
                ? OptionalLong.of(variable.value())
                : OptionalLong.empty();
    }

    @Override
    default boolean reports(Class<? extends Milestone> kind) {
        return IntStream.rangeClosed(1, threads())
                .mapToObj(thread -> Statement.compile(code(thread)))
                .flatMap(List::stream)
                .anyMatch(statement -> reports(statement, kind));
    }

    private boolean reports(Statement statement, Class<? extends Milestone> kind) {
        return switch (statement) {
            case Statement.Mark.Entered(var limit) -> kind == Milestone.Entered.class && limit < threads();
            case Statement.Mark mark ->
                kind == milestone(mark, ThreadState.initial(new NodeId(1))).getClass();
            case Statement.Call(var object, var verb, var arguments) ->
                kind == Milestone.Parked.class && verb == Verb.WAIT;
            default -> false;
        };
    }

    /** The program of a thread as text. */
    default List<String> listing(int thread) {
        return Statement.listing(code(thread));
    }

    @Override
    default Step<ProgramState, Access> start(Neighbourhood neighbourhood) {
        int number = neighbourhood.self().number();
        return number > threads()
                ? objects().get(number - threads() - 1).step()
                : run(ThreadState.initial(neighbourhood.self()));
    }

    @Override
    default Step<ProgramState, Access> receive(ProgramState state, NodeId from, Access message) {
        return switch (state) {
            case SharedObject object -> object.access(from, message);
            case ThreadState thread
            when thread.phase() instanceof Phase.Calling ->
                switch (message) {
                    case Access.Value(var value) -> run(thread.withX(value).moved(1));
                    case Access.Done() -> run(thread.moved(1));
                    case Access.Notified() -> to(thread).send(from, new Access.Lock());
                    default -> throw thread.bug(message);
                };
            case ThreadState thread -> throw thread.bug(message);
        };
    }

    @Override
    default Step<ProgramState, Access> drawn(ProgramState state, int value) {
        return switch (state) {
            case SharedObject object -> object.drawn(value);
            case ThreadState thread -> to(state).setTimer(Timer.WAKE, PAUSE_SLOT.multipliedBy(value + 1L));
        };
    }

    @Override
    default Step<ProgramState, Access> timeout(ProgramState state, Timer timer) {
        if (state instanceof ThreadState thread && thread.phase() instanceof Phase.Pausing) {
            return run(thread.moved(1));
        }
        throw new ProtocolBug(timer.toString(), state);
    }

    /** Executes the statements of a thread up to its next access. */
    private Step<ProgramState, Access> run(ThreadState thread) {
        var code = Statement.compile(code(thread.self().number()));
        var now = thread;
        var step = to(now);
        for (int executed = 0; now.position() < code.size(); executed++) {
            ProtocolBug.unless(executed < LOCAL_STATEMENTS_MAX, "an endless loop without an access", now);
            switch (code.get(now.position())) {
                case Statement.Call call -> {
                    return at(step, now.in(new Phase.Calling())).send(node(call.object()), call.access(now));
                }
                case Statement.BackOff(var slots) -> {
                    return at(step, now.in(new Phase.Pausing())).draw(slots);
                }
                case Statement.Spin(var condition) -> {
                    if (condition.holds(now)) {
                        return at(step, now.in(new Phase.Spinning()));
                    }
                    now = now.moved(1);
                }
                case Statement.Expect(var condition) -> {
                    ProtocolBug.unless(condition.holds(now), "a violation of '" + condition + "'", now);
                    now = now.moved(1);
                }
                case Statement.Assign(var value) ->
                    now = now.withX(value.of(now)).moved(1);
                case Statement.NextRound() ->
                    now = now.withRound(now.round() + 1).moved(1);
                case Statement.Jump(var offset) -> now = now.moved(offset);
                case Statement.JumpUnless(var condition, var offset) ->
                    now = now.moved(condition.holds(now) ? 1 : offset);
                case Statement.Mark mark -> {
                    step = step.report(milestone(mark, now));
                    now = now.moved(1);
                }
                case Statement block -> throw new ProtocolBug("a block in compiled code", block);
            }
        }
        return at(step, now.in(new Phase.Ended()));
    }

    private static Step<ProgramState, Access> at(Step<ProgramState, Access> step, ThreadState thread) {
        return new Step<>(thread, step.effects());
    }

    private Milestone milestone(Statement.Mark mark, ThreadState thread) {
        return switch (mark) {
            case Statement.Mark.Requested() -> new Milestone.Requested();
            case Statement.Mark.Entered(var limit) -> new Milestone.Entered(limit);
            case Statement.Mark.Exited() -> new Milestone.Exited();
            case Statement.Mark.Invoked(var kind, var argument) ->
                new Milestone.Invoked(new Operation(kind, argument.of(thread)));
            case Statement.Mark.Returned(var result) -> new Milestone.Returned(result.of(thread));
            case Statement.Mark.Updated(var object, var amount) -> new Milestone.Updated(node(object), amount);
        };
    }

    private NodeId node(String object) {
        var objects = objects();
        for (int i = 0; i < objects.size(); i++) {
            if (objects.get(i).name().equals(object)) {
                return new NodeId(threads() + i + 1);
            }
        }
        throw new ProtocolBug("an access to " + object, objects);
    }
}
