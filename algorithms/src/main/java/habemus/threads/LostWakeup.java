package habemus.threads;

import static habemus.protocol.Operation.Kind.OFFER;
import static habemus.protocol.Operation.Kind.TAKE;
import static habemus.threads.Expression.Local.X;
import static habemus.threads.Locks.monitor;
import static habemus.threads.Memory.variable;
import static habemus.threads.Statement.block;
import static habemus.threads.Statement.call;
import static habemus.threads.Statement.doIf;
import static habemus.threads.Statement.entered;
import static habemus.threads.Statement.exited;
import static habemus.threads.Statement.invoked;
import static habemus.threads.Statement.load;
import static habemus.threads.Statement.loopWhile;
import static habemus.threads.Statement.repeat;
import static habemus.threads.Statement.requested;
import static habemus.threads.Statement.returned;
import static habemus.threads.Statement.store;
import static habemus.threads.Verb.LOCK;
import static habemus.threads.Verb.NOTIFY;
import static habemus.threads.Verb.UNLOCK;
import static habemus.threads.Verb.WAIT;

import java.util.List;

/**
 * The first thread produces an item for each of the others, which wait until there is one.
 *
 * <p>A notification is not remembered: it is lost if no thread waits for it yet. A thread that does not check before it
 * waits may come too late, and so may one that checks in one synchronized block and waits in another. A thread that
 * checks with {@code if} does not check again after it was notified, although another thread may have taken the item.
 * The cure is to check and to wait in one synchronized block, in a loop.
 */
public record LostWakeup(Variant variant, int threads) implements ThreadMachine {

    /** How a thread waits for an item. */
    public enum Variant {
        CHECK_OUTSIDE,
        NO_CHECK,
        IF,
        WHILE
    }

    private static final String ITEMS = "items";
    private static final String MONITOR = "monitor";

    @Override
    public List<SharedObject> objects() {
        return List.of(variable(ITEMS, 0), monitor(MONITOR));
    }

    @Override
    public List<Statement> code(int thread) {
        return thread == 1 ? List.of(produce()) : List.of(consume());
    }

    private Statement produce() {
        return repeat(
                threads - 1,
                invoked(OFFER),
                call(MONITOR, LOCK),
                load(ITEMS),
                store(ITEMS, X.plus(1)),
                call(MONITOR, NOTIFY),
                call(MONITOR, UNLOCK),
                returned());
    }

    private Statement consume() {
        return block(
                requested(),
                invoked(TAKE),
                call(MONITOR, LOCK),
                waitForItem(),
                store(ITEMS, X.plus(-1)),
                call(MONITOR, UNLOCK),
                returned(),
                entered(threads),
                exited());
    }

    private Statement waitForItem() {
        return switch (variant) {
            case CHECK_OUTSIDE ->
                block(
                        load(ITEMS),
                        call(MONITOR, UNLOCK),
                        call(MONITOR, LOCK),
                        doIf(X.is(0), call(MONITOR, WAIT), load(ITEMS)));
            case NO_CHECK -> block(call(MONITOR, WAIT), load(ITEMS));
            case IF -> block(load(ITEMS), doIf(X.is(0), call(MONITOR, WAIT), load(ITEMS)));
            case WHILE -> block(load(ITEMS), loopWhile(X.is(0), call(MONITOR, WAIT), load(ITEMS)));
        };
    }
}
