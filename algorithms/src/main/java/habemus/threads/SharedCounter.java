package habemus.threads;

import static habemus.threads.Expression.Local.X;
import static habemus.threads.Locks.monitor;
import static habemus.threads.Memory.counter;
import static habemus.threads.Statement.addAndGet;
import static habemus.threads.Statement.assign;
import static habemus.threads.Statement.call;
import static habemus.threads.Statement.doWhile;
import static habemus.threads.Statement.entered;
import static habemus.threads.Statement.exited;
import static habemus.threads.Statement.load;
import static habemus.threads.Statement.repeat;
import static habemus.threads.Statement.requested;
import static habemus.threads.Statement.store;
import static habemus.threads.Statement.updated;
import static habemus.threads.Verb.COMPARE_AND_SET;
import static habemus.threads.Verb.LOCK;
import static habemus.threads.Verb.UNLOCK;

import java.util.List;

/**
 * Some threads increment one counter, each of them several times. An increment reads, adds and writes.
 *
 * <p>Two threads may read the same value; then one of the two updates is lost. With two rounds or more, two threads or
 * more can leave a counter of 2: each of them writes a value that it read long before. The cures are a lock around each
 * increment or around the whole loop, an atomic addition, compare-and-set, and a sum that each thread computes alone.
 */
public record SharedCounter(Variant variant, int threads, int rounds) implements ThreadMachine {

    /** How a thread increments. */
    public enum Variant {
        RACE,
        LOCK_EACH,
        LOCK_LOOP,
        ATOMIC,
        COMPARE_AND_SET,
        THREAD_LOCAL
    }

    private static final String COUNTER = "counter";
    private static final String MUTEX = "mutex";

    @Override
    public List<SharedObject> objects() {
        return switch (variant) {
            case LOCK_EACH, LOCK_LOOP -> List.of(counter(COUNTER), monitor(MUTEX));
            case RACE, ATOMIC, COMPARE_AND_SET, THREAD_LOCAL -> List.of(counter(COUNTER));
        };
    }

    @Override
    public String resultName() {
        return COUNTER;
    }

    @Override
    public List<Statement> code(int thread) {
        return switch (variant) {
            case RACE -> List.of(repeat(rounds, load(COUNTER), store(COUNTER, X.plus(1)), updated(COUNTER, 1)));
            case LOCK_EACH ->
                List.of(repeat(
                        rounds,
                        requested(),
                        call(MUTEX, LOCK),
                        entered(),
                        load(COUNTER),
                        store(COUNTER, X.plus(1)),
                        updated(COUNTER, 1),
                        exited(),
                        call(MUTEX, UNLOCK)));
            case LOCK_LOOP ->
                List.of(
                        requested(),
                        call(MUTEX, LOCK),
                        entered(),
                        repeat(rounds, load(COUNTER), store(COUNTER, X.plus(1)), updated(COUNTER, 1)),
                        exited(),
                        call(MUTEX, UNLOCK));
            case ATOMIC -> List.of(repeat(rounds, addAndGet(COUNTER, 1), updated(COUNTER, 1)));
            case COMPARE_AND_SET ->
                List.of(repeat(
                        rounds,
                        doWhile(X.is(0), load(COUNTER), call(COUNTER, COMPARE_AND_SET, X, X.plus(1))),
                        updated(COUNTER, 1)));
            case THREAD_LOCAL ->
                List.of(repeat(rounds, assign(X.plus(1))), addAndGet(COUNTER, X), updated(COUNTER, rounds));
        };
    }
}
