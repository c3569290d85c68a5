package habemus.threads;

import static habemus.threads.Expression.Local.X;
import static habemus.threads.Statement.backOff;
import static habemus.threads.Statement.block;
import static habemus.threads.Statement.call;
import static habemus.threads.Statement.doIf;
import static habemus.threads.Statement.doWhile;
import static habemus.threads.Verb.LOCK;
import static habemus.threads.Verb.LOCK_ALL;
import static habemus.threads.Verb.TRY_LOCK;
import static habemus.threads.Verb.UNLOCK;
import static habemus.threads.Verb.UNLOCK_ALL;

/**
 * How a thread takes two locks. Threads that take them in different orders can wait for each other for ever.
 *
 * @param first the lock that the thread would take first
 * @param firstNumber the position of that lock in the order of all locks
 */
public record TwoLocks(String first, int firstNumber, String second, int secondNumber) {

    /** The cures of a deadlock of two locks. */
    public enum Cure {
        /** Takes one lock and then the other: two threads can deadlock. */
        NESTED,
        /** Takes the lock with the lower number first, whatever the thread does with them. */
        ORDERED,
        /** Releases the first lock if the second is not free, and tries again: two threads can keep failing. */
        TRY_LOCK,
        /** As try-lock, and pauses for a random time before the next attempt. */
        BACK_OFF,
        /** Takes both locks at once. */
        LOCK_ALL
    }

    /** The table with all locks, if they are taken at once. */
    static final String TABLE = "locks";

    private static final int PAUSE_SLOTS = 2;

    public Statement lock(Cure cure) {
        return switch (cure) {
            case NESTED -> block(call(first, LOCK), call(second, LOCK));
            case ORDERED ->
                firstNumber < secondNumber ? lock(Cure.NESTED) : swapped().lock(Cure.NESTED);
            case TRY_LOCK ->
                doWhile(X.is(0), call(first, LOCK), call(second, TRY_LOCK), doIf(X.is(0), call(first, UNLOCK)));
            case BACK_OFF ->
                doWhile(
                        X.is(0),
                        call(first, LOCK),
                        call(second, TRY_LOCK),
                        doIf(X.is(0), call(first, UNLOCK), backOff(PAUSE_SLOTS)));
            case LOCK_ALL ->
                call(TABLE, LOCK_ALL, new Expression.Constant(firstNumber), new Expression.Constant(secondNumber));
        };
    }

    public Statement unlock(Cure cure) {
        return cure == Cure.LOCK_ALL ? call(TABLE, UNLOCK_ALL) : block(call(second, UNLOCK), call(first, UNLOCK));
    }

    private TwoLocks swapped() {
        return new TwoLocks(second, secondNumber, first, firstNumber);
    }
}
