package habemus.threads;

import static habemus.threads.Expression.Local.SELF;
import static habemus.threads.Expression.Local.X;
import static habemus.threads.Locks.monitor;
import static habemus.threads.Memory.variable;
import static habemus.threads.Statement.call;
import static habemus.threads.Statement.doIf;
import static habemus.threads.Statement.entered;
import static habemus.threads.Statement.exited;
import static habemus.threads.Statement.invoked;
import static habemus.threads.Statement.requested;
import static habemus.threads.Statement.returned;
import static habemus.threads.Verb.GET;
import static habemus.threads.Verb.LOCK;
import static habemus.threads.Verb.PUT;
import static habemus.threads.Verb.PUT_IF_ABSENT;
import static habemus.threads.Verb.UNLOCK;

import habemus.protocol.Operation;
import java.util.List;

/**
 * Some threads set the same key of a map, each to its own number, unless the key is set already.
 *
 * <p>A check and a later put are two accesses. Two threads may find the key absent; then both of them put, the second
 * replaces the value of the first, and both believe that their value is in the map. The cures are the atomic
 * {@code putIfAbsent}, or a lock around both accesses.
 */
public record PutIfAbsent(Variant variant, int threads) implements ThreadMachine {

    /** How a thread sets the key. */
    public enum Variant {
        CHECK_THEN_ACT,
        LOCK,
        ATOMIC
    }

    private static final String MAP = "map";
    private static final String MUTEX = "mutex";

    @Override
    public List<SharedObject> objects() {
        return switch (variant) {
            case LOCK -> List.of(variable(MAP, 0), monitor(MUTEX));
            case CHECK_THEN_ACT, ATOMIC -> List.of(variable(MAP, 0));
        };
    }

    @Override
    public String resultName() {
        return MAP;
    }

    @Override
    public List<Statement> code(int thread) {
        return switch (variant) {
            case CHECK_THEN_ACT ->
                List.of(
                        invoked(Operation.Kind.PUT_IF_ABSENT, SELF),
                        call(MAP, GET),
                        doIf(X.is(0), call(MAP, PUT, SELF)),
                        returned(X));
            case LOCK ->
                List.of(
                        invoked(Operation.Kind.PUT_IF_ABSENT, SELF),
                        requested(),
                        call(MUTEX, LOCK),
                        entered(),
                        call(MAP, GET),
                        doIf(X.is(0), call(MAP, PUT, SELF)),
                        exited(),
                        call(MUTEX, UNLOCK),
                        returned(X));
            case ATOMIC ->
                List.of(invoked(Operation.Kind.PUT_IF_ABSENT, SELF), call(MAP, PUT_IF_ABSENT, SELF), returned(X));
        };
    }
}
