package habemus.threads;

import java.util.List;

/** The accesses to shared objects, as a program writes them. */
public enum Verb {
    LOAD("x = OBJECT"),
    STORE("OBJECT = FIRST"),
    ADD_AND_GET("x = OBJECT.addAndGet(FIRST)"),
    COMPARE_AND_SET("x = OBJECT.compareAndSet(FIRST, SECOND)"),
    GET("x = OBJECT.get(key)"),
    PUT("OBJECT.put(key, FIRST)"),
    PUT_IF_ABSENT("x = OBJECT.putIfAbsent(key, FIRST)"),
    LOCK("OBJECT.lock()"),
    TRY_LOCK("x = OBJECT.tryLock()"),
    UNLOCK("OBJECT.unlock()"),
    WAIT("OBJECT.wait()"),
    NOTIFY("OBJECT.notify()"),
    NOTIFY_ALL("OBJECT.notifyAll()"),
    ACQUIRE("OBJECT.acquire()"),
    RELEASE("OBJECT.release()"),
    LOCK_ALL("OBJECT.lockAll(FIRST, SECOND)"),
    UNLOCK_ALL("OBJECT.unlockAll()"),
    SIZE("x = OBJECT.size()"),
    INSERT("OBJECT.add(FIRST)"),
    REMOVE("x = OBJECT.poll()"),
    FIRST_LOWER_CASE("x = OBJECT.firstLowerCase()"),
    TO_UPPER_CASE("OBJECT.toUpperCase(FIRST)");

    private final String pattern;

    Verb(String pattern) {
        this.pattern = pattern;
    }

    String text(String object, List<Expression> arguments) {
        var text = pattern.replace("OBJECT", object);
        text = arguments.isEmpty()
                ? text
                : text.replace("FIRST", arguments.getFirst().toString());
        return text.replace(
                "SECOND", arguments.isEmpty() ? "" : arguments.getLast().toString());
    }

    Access access(List<Integer> arguments) {
        return switch (this) {
            case LOAD, GET, SIZE, FIRST_LOWER_CASE -> new Access.Read();
            case STORE, PUT, TO_UPPER_CASE -> new Access.Write(arguments.getFirst());
            case ADD_AND_GET -> new Access.AddAndGet(arguments.getFirst());
            case COMPARE_AND_SET -> new Access.CompareAndSet(arguments.getFirst(), arguments.getLast());
            case PUT_IF_ABSENT -> new Access.PutIfAbsent(arguments.getFirst());
            case LOCK -> new Access.Lock();
            case TRY_LOCK -> new Access.TryLock();
            case UNLOCK -> new Access.Unlock();
            case WAIT -> new Access.Wait();
            case NOTIFY -> new Access.Notify();
            case NOTIFY_ALL -> new Access.NotifyAll();
            case ACQUIRE -> new Access.Acquire();
            case RELEASE -> new Access.Release();
            case LOCK_ALL -> new Access.LockAll(arguments);
            case UNLOCK_ALL -> new Access.UnlockAll();
            case INSERT -> new Access.Insert(arguments.getFirst());
            case REMOVE -> new Access.Remove();
        };
    }
}
