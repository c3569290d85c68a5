package habemus.threads;

import static habemus.threads.Expression.Local.ROUND;
import static habemus.threads.Expression.Local.X;
import static habemus.threads.Locks.monitor;
import static habemus.threads.Memory.variable;
import static habemus.threads.Statement.addAndGet;
import static habemus.threads.Statement.block;
import static habemus.threads.Statement.call;
import static habemus.threads.Statement.doIf;
import static habemus.threads.Statement.entered;
import static habemus.threads.Statement.exited;
import static habemus.threads.Statement.expect;
import static habemus.threads.Statement.load;
import static habemus.threads.Statement.loopWhile;
import static habemus.threads.Statement.repeat;
import static habemus.threads.Statement.requested;
import static habemus.threads.Statement.store;
import static habemus.threads.Verb.LOCK;
import static habemus.threads.Verb.NOTIFY_ALL;
import static habemus.threads.Verb.UNLOCK;
import static habemus.threads.Verb.WAIT;

import java.util.List;

/**
 * All threads wait for each other at the end of each round.
 *
 * <p>The last thread to arrive wakes the others. If it also sets the number of arrived threads to zero, the others find
 * the barrier closed again and wait for ever. If no thread sets it to zero, no thread waits in the next round. The
 * correct form counts generations: a thread waits until the generation is no longer its own round.
 */
public record CyclicBarrier(Variant variant, int threads, int rounds) implements ThreadMachine {

    /** How the barrier opens and closes. */
    public enum Variant {
        RESET,
        NO_RESET,
        GENERATION
    }

    private static final String ARRIVED = "arrived";
    private static final String GENERATION = "generation";
    private static final String MONITOR = "monitor";
    private static final String WORK = "work";

    @Override
    public List<SharedObject> objects() {
        return variant == Variant.GENERATION
                ? List.of(variable(WORK, 0), variable(ARRIVED, 0), monitor(MONITOR), variable(GENERATION, 0))
                : List.of(variable(WORK, 0), variable(ARRIVED, 0), monitor(MONITOR));
    }

    @Override
    public List<Statement> code(int thread) {
        return List.of(repeat(
                rounds,
                requested(),
                addAndGet(WORK, 1),
                call(MONITOR, LOCK),
                addAndGet(ARRIVED, 1),
                await(),
                call(MONITOR, UNLOCK),
                load(WORK),
                expect(X.isAtLeast(ROUND.plus(1).times(threads))),
                entered(threads),
                exited()));
    }

    private Statement await() {
        return switch (variant) {
            case RESET ->
                block(
                        doIf(X.is(threads), store(ARRIVED, 0), call(MONITOR, NOTIFY_ALL)),
                        loopWhile(X.isBelow(threads), call(MONITOR, WAIT), load(ARRIVED)));
            case NO_RESET ->
                block(
                        doIf(X.is(threads), call(MONITOR, NOTIFY_ALL)),
                        loopWhile(X.isBelow(threads), call(MONITOR, WAIT), load(ARRIVED)));
            case GENERATION ->
                block(
                        doIf(
                                X.is(threads),
                                store(ARRIVED, 0),
                                store(GENERATION, ROUND.plus(1)),
                                call(MONITOR, NOTIFY_ALL)),
                        load(GENERATION),
                        loopWhile(X.is(ROUND), call(MONITOR, WAIT), load(GENERATION)));
        };
    }
}
