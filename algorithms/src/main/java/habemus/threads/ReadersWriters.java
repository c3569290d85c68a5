package habemus.threads;

import static habemus.threads.Expression.Local.X;
import static habemus.threads.Locks.semaphore;
import static habemus.threads.Memory.variable;
import static habemus.threads.Statement.addAndGet;
import static habemus.threads.Statement.block;
import static habemus.threads.Statement.call;
import static habemus.threads.Statement.doIf;
import static habemus.threads.Statement.entered;
import static habemus.threads.Statement.exited;
import static habemus.threads.Statement.load;
import static habemus.threads.Statement.repeat;
import static habemus.threads.Statement.requested;
import static habemus.threads.Statement.store;
import static habemus.threads.Verb.ACQUIRE;
import static habemus.threads.Verb.RELEASE;

import java.util.List;

/**
 * The last thread writes, the others read. Readers may read together; the writer works alone.
 *
 * <p>The first reader takes the room for all of them, and the last one gives it free. As long as readers come and go so
 * that one of them is always inside, the writer waits. The fair form has a turnstile: a writer holds it while it waits,
 * so that later readers queue behind it.
 *
 * @see "Courtois, Heymans and Parnas, Concurrent Control with Readers and Writers, CACM 14(10), 1971"
 */
public record ReadersWriters(Variant variant, int threads, int rounds) implements ThreadMachine {

    /** Whom a reader waits for. */
    public enum Variant {
        READERS_FIRST,
        FAIR
    }

    private static final String DATA = "data";
    private static final String READERS = "readers";
    private static final String MUTEX = "mutex";
    private static final String ROOM = "room";
    private static final String TURNSTILE = "turnstile";

    @Override
    public List<SharedObject> objects() {
        return switch (variant) {
            case READERS_FIRST ->
                List.of(variable(DATA, 0), variable(READERS, 0), semaphore(MUTEX, 1), semaphore(ROOM, 1));
            case FAIR ->
                List.of(
                        variable(DATA, 0),
                        variable(READERS, 0),
                        semaphore(MUTEX, 1),
                        semaphore(ROOM, 1),
                        semaphore(TURNSTILE, 1));
        };
    }

    @Override
    public List<Statement> code(int thread) {
        return List.of(repeat(rounds, requested(), thread == threads ? write() : read()));
    }

    private Statement read() {
        return block(
                queueBehindWriter(),
                call(MUTEX, ACQUIRE),
                addAndGet(READERS, 1),
                doIf(X.is(1), call(ROOM, ACQUIRE)),
                call(MUTEX, RELEASE),
                entered(threads - 1),
                load(DATA),
                exited(),
                call(MUTEX, ACQUIRE),
                addAndGet(READERS, -1),
                doIf(X.is(0), call(ROOM, RELEASE)),
                call(MUTEX, RELEASE));
    }

    private Statement queueBehindWriter() {
        return switch (variant) {
            case READERS_FIRST -> block();
            case FAIR -> block(call(TURNSTILE, ACQUIRE), call(TURNSTILE, RELEASE));
        };
    }

    private Statement write() {
        return switch (variant) {
            case READERS_FIRST -> block(call(ROOM, ACQUIRE), entered(), store(DATA, 1), exited(), call(ROOM, RELEASE));
            case FAIR ->
                block(
                        call(TURNSTILE, ACQUIRE),
                        call(ROOM, ACQUIRE),
                        entered(),
                        store(DATA, 1),
                        exited(),
                        call(TURNSTILE, RELEASE),
                        call(ROOM, RELEASE));
        };
    }
}
