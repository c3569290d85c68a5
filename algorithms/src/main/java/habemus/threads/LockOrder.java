package habemus.threads;

import static habemus.threads.Expression.Local.X;
import static habemus.threads.Locks.monitor;
import static habemus.threads.Locks.multiLock;
import static habemus.threads.Memory.counter;
import static habemus.threads.Statement.entered;
import static habemus.threads.Statement.exited;
import static habemus.threads.Statement.load;
import static habemus.threads.Statement.repeat;
import static habemus.threads.Statement.requested;
import static habemus.threads.Statement.store;
import static habemus.threads.Statement.updated;

import java.util.List;

/**
 * Threads transfer from one account to another. Every other thread transfers in the other direction.
 *
 * <p>Each account has a lock. A thread that takes the lock of its source first and then that of its target deadlocks
 * with a thread of the other direction: each holds one lock and waits for the other.
 */
public record LockOrder(TwoLocks.Cure variant, int threads, int rounds) implements ThreadMachine {

    private static final String A = "a";
    private static final String B = "b";
    private static final String LOCK_A = "lock-a";
    private static final String LOCK_B = "lock-b";

    @Override
    public List<SharedObject> objects() {
        return variant == TwoLocks.Cure.LOCK_ALL
                ? List.of(counter(A), counter(B), multiLock(TwoLocks.TABLE))
                : List.of(counter(A), counter(B), monitor(LOCK_A), monitor(LOCK_B));
    }

    @Override
    public List<Statement> code(int thread) {
        return thread % 2 == 1
                ? List.of(transfer(A, B, new TwoLocks(LOCK_A, 1, LOCK_B, 2)))
                : List.of(transfer(B, A, new TwoLocks(LOCK_B, 2, LOCK_A, 1)));
    }

    private Statement transfer(String source, String target, TwoLocks locks) {
        return repeat(
                rounds,
                requested(),
                locks.lock(variant),
                entered(),
                load(source),
                store(source, X.plus(-1)),
                load(target),
                store(target, X.plus(1)),
                updated(source, -1),
                updated(target, 1),
                exited(),
                locks.unlock(variant));
    }
}
