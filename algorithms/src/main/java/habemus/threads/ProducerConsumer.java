package habemus.threads;

import static habemus.protocol.Operation.Kind.OFFER;
import static habemus.protocol.Operation.Kind.TAKE;
import static habemus.threads.Expression.Local.ROUND;
import static habemus.threads.Expression.Local.X;
import static habemus.threads.Locks.monitor;
import static habemus.threads.Memory.queue;
import static habemus.threads.Statement.block;
import static habemus.threads.Statement.call;
import static habemus.threads.Statement.doIf;
import static habemus.threads.Statement.entered;
import static habemus.threads.Statement.exited;
import static habemus.threads.Statement.invoked;
import static habemus.threads.Statement.loopWhile;
import static habemus.threads.Statement.repeat;
import static habemus.threads.Statement.requested;
import static habemus.threads.Statement.returned;
import static habemus.threads.Verb.INSERT;
import static habemus.threads.Verb.LOCK;
import static habemus.threads.Verb.NOTIFY;
import static habemus.threads.Verb.NOTIFY_ALL;
import static habemus.threads.Verb.REMOVE;
import static habemus.threads.Verb.SIZE;
import static habemus.threads.Verb.UNLOCK;
import static habemus.threads.Verb.WAIT;

import java.util.List;

/**
 * The first thread puts numbered items into a bounded buffer, and the others take them out. Each of the others takes as
 * many items as there are rounds.
 *
 * <p>Producer and consumers wait at one monitor. A consumer that checks with {@code if} may find the buffer empty after
 * it was notified. With {@code notify} a consumer may wake another consumer in place of the producer, and all of them
 * wait for ever. The correct form checks in a loop and notifies all.
 */
public record ProducerConsumer(Variant variant, int threads, int rounds, int capacity) implements ThreadMachine {

    /** How a thread waits and notifies. */
    public enum Variant {
        NOTIFY,
        IF,
        WHILE
    }

    private static final String BUFFER = "buffer";
    private static final String MONITOR = "monitor";

    @Override
    public List<SharedObject> objects() {
        return List.of(queue(BUFFER, capacity), monitor(MONITOR));
    }

    @Override
    public List<Statement> code(int thread) {
        return thread == 1 ? List.of(produce()) : List.of(consume());
    }

    private Statement produce() {
        return repeat(
                rounds * (threads - 1),
                requested(),
                invoked(OFFER, ROUND.plus(1)),
                call(MONITOR, LOCK),
                call(BUFFER, SIZE),
                waitWhile(X.isAtLeast(capacity)),
                call(BUFFER, INSERT, ROUND.plus(1)),
                leave(),
                returned());
    }

    private Statement consume() {
        return repeat(
                rounds,
                requested(),
                invoked(TAKE),
                call(MONITOR, LOCK),
                call(BUFFER, SIZE),
                waitWhile(X.is(0)),
                call(BUFFER, REMOVE),
                leave(),
                returned(X));
    }

    private Statement waitWhile(Expression.Condition condition) {
        return variant == Variant.IF
                ? doIf(condition, call(MONITOR, WAIT))
                : loopWhile(condition, call(MONITOR, WAIT), call(BUFFER, SIZE));
    }

    private Statement leave() {
        return block(
                call(MONITOR, variant == Variant.NOTIFY ? NOTIFY : NOTIFY_ALL),
                call(MONITOR, UNLOCK),
                entered(threads),
                exited());
    }
}
