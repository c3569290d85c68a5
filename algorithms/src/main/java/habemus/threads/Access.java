package habemus.threads;

import habemus.protocol.Labelled;
import habemus.protocol.WireTags;
import java.util.List;

/** The messages between threads and shared objects: an access to the object, or its answer. */
@WireTags({
    Access.Value.class,
    Access.Done.class,
    Access.Notified.class,
    Access.Read.class,
    Access.Write.class,
    Access.AddAndGet.class,
    Access.CompareAndSet.class,
    Access.PutIfAbsent.class,
    Access.Lock.class,
    Access.TryLock.class,
    Access.Unlock.class,
    Access.Wait.class,
    Access.Notify.class,
    Access.NotifyAll.class,
    Access.Acquire.class,
    Access.Release.class,
    Access.LockAll.class,
    Access.UnlockAll.class,
    Access.Insert.class,
    Access.Remove.class
})
public sealed interface Access extends Labelled {

    /** The answer to an access with a result. */
    record Value(int value) implements Access {}

    /** The answer to an access without a result. A thread whose access blocks gets it when it may continue. */
    record Done() implements Access {}

    /** A thread that waited is notified: it has to lock the monitor again, like any other thread. */
    record Notified() implements Access {}

    record Read() implements Access {}

    record Write(int value) implements Access {}

    /** Adds atomically, and returns the sum. */
    record AddAndGet(int amount) implements Access {}

    /** Returns 1 if the object held the expected value, which is then replaced, else 0. */
    record CompareAndSet(int expected, int value) implements Access {}

    /** Returns the value, or sets it if it was zero: then it returns zero. */
    record PutIfAbsent(int value) implements Access {}

    record Lock() implements Access {}

    /** Returns 1 if the thread now holds the lock, else 0. */
    record TryLock() implements Access {}

    record Unlock() implements Access {}

    /** Releases the monitor, waits for a notification, and locks the monitor again. */
    record Wait() implements Access {}

    record Notify() implements Access {}

    record NotifyAll() implements Access {}

    record Acquire() implements Access {}

    record Release() implements Access {}

    /** Locks all of these locks of a table at once. */
    record LockAll(List<Integer> locks) implements Access {}

    record UnlockAll() implements Access {}

    record Insert(int item) implements Access {}

    /** Removes and returns the oldest item; zero if there is none. */
    record Remove() implements Access {}

    @Override
    default String label() {
        return switch (this) {
            case Value(var value) -> "= " + value;
            case Done() -> "done";
            case Notified() -> "notified";
            case Read() -> "read";
            case Write(var value) -> "write " + value;
            case AddAndGet(var amount) -> "add " + amount;
            case CompareAndSet(var expected, var value) -> "cas " + expected + "→" + value;
            case PutIfAbsent(var value) -> "put? " + value;
            case Lock() -> "lock";
            case TryLock() -> "tryLock";
            case Unlock() -> "unlock";
            case Wait() -> "wait";
            case Notify() -> "notify";
            case NotifyAll() -> "notifyAll";
            case Acquire() -> "acquire";
            case Release() -> "release";
            case LockAll(var locks) -> "lock " + locks;
            case UnlockAll() -> "unlock";
            case Insert(var item) -> "insert " + item;
            case Remove() -> "remove";
        };
    }
}
