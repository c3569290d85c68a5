package habemus.threads;

import static habemus.threads.Expression.Local.X;
import static habemus.threads.Locks.monitor;
import static habemus.threads.Locks.semaphore;
import static habemus.threads.Memory.variable;
import static habemus.threads.Statement.block;
import static habemus.threads.Statement.call;
import static habemus.threads.Statement.doIf;
import static habemus.threads.Statement.doWhile;
import static habemus.threads.Statement.entered;
import static habemus.threads.Statement.exited;
import static habemus.threads.Statement.load;
import static habemus.threads.Statement.loopWhile;
import static habemus.threads.Statement.repeat;
import static habemus.threads.Statement.requested;
import static habemus.threads.Statement.store;
import static habemus.threads.Verb.ACQUIRE;
import static habemus.threads.Verb.LOCK;
import static habemus.threads.Verb.NOTIFY;
import static habemus.threads.Verb.RELEASE;
import static habemus.threads.Verb.UNLOCK;
import static habemus.threads.Verb.WAIT;

import java.util.List;

/**
 * Threads enter a section of which a number of permits allows only some of them at a time.
 *
 * <p>A semaphore is a number of permits: a thread takes one, or waits until another returns one. A thread that reads
 * the number, finds a permit and then writes the lower number may share that permit with another thread. A semaphore
 * made of a monitor must check in a loop: the permit may be taken before the notified thread has the monitor again.
 */
public record CountingSemaphore(Variant variant, int threads, int rounds, int permits) implements ThreadMachine {

    /** What the semaphore is made of. */
    public enum Variant {
        CHECK_THEN_ACT,
        MONITOR_IF,
        MONITOR_WHILE,
        SEMAPHORE
    }

    private static final String PERMITS = "permits";
    private static final String MONITOR = "monitor";
    private static final String RESOURCE = "resource";

    @Override
    public List<SharedObject> objects() {
        return switch (variant) {
            case CHECK_THEN_ACT -> List.of(variable(RESOURCE, 0), variable(PERMITS, permits));
            case MONITOR_IF, MONITOR_WHILE ->
                List.of(variable(RESOURCE, 0), variable(PERMITS, permits), monitor(MONITOR));
            case SEMAPHORE -> List.of(variable(RESOURCE, 0), semaphore(PERMITS, permits));
        };
    }

    @Override
    public List<Statement> code(int thread) {
        return List.of(repeat(rounds, requested(), acquire(), entered(permits), load(RESOURCE), exited(), release()));
    }

    private Statement acquire() {
        return switch (variant) {
            case CHECK_THEN_ACT -> block(doWhile(X.is(0), load(PERMITS)), store(PERMITS, X.plus(-1)));
            case MONITOR_IF ->
                block(
                        call(MONITOR, LOCK),
                        load(PERMITS),
                        doIf(X.is(0), call(MONITOR, WAIT), load(PERMITS)),
                        store(PERMITS, X.plus(-1)),
                        call(MONITOR, UNLOCK));
            case MONITOR_WHILE ->
                block(
                        call(MONITOR, LOCK),
                        load(PERMITS),
                        loopWhile(X.is(0), call(MONITOR, WAIT), load(PERMITS)),
                        store(PERMITS, X.plus(-1)),
                        call(MONITOR, UNLOCK));
            case SEMAPHORE -> call(PERMITS, ACQUIRE);
        };
    }

    private Statement release() {
        return switch (variant) {
            case CHECK_THEN_ACT -> block(load(PERMITS), store(PERMITS, X.plus(1)));
            case MONITOR_IF, MONITOR_WHILE ->
                block(
                        call(MONITOR, LOCK),
                        load(PERMITS),
                        store(PERMITS, X.plus(1)),
                        call(MONITOR, NOTIFY),
                        call(MONITOR, UNLOCK));
            case SEMAPHORE -> call(PERMITS, RELEASE);
        };
    }
}
