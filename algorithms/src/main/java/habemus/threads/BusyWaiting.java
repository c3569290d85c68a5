package habemus.threads;

import static habemus.threads.Expression.Local.X;
import static habemus.threads.Memory.variable;
import static habemus.threads.Statement.entered;
import static habemus.threads.Statement.exited;
import static habemus.threads.Statement.load;
import static habemus.threads.Statement.loopWhile;
import static habemus.threads.Statement.requested;
import static habemus.threads.Statement.spinWhile;
import static habemus.threads.Statement.store;

import java.util.List;

/**
 * The first thread sets a flag, and the others wait for it in a loop.
 *
 * <p>A read of a plain variable in a loop may be moved out of the loop: the compiler may assume that no other thread
 * writes. A thread that reads the flag before it is set then spins for ever. A read of a volatile variable sees the
 * last write, so the loop ends.
 */
public record BusyWaiting(Variant variant, int threads) implements ThreadMachine {

    /** The kind of the flag. */
    public enum Variant {
        PLAIN,
        VOLATILE
    }

    private static final String FLAG = "flag";

    @Override
    public List<SharedObject> objects() {
        return List.of(variable(FLAG, 0));
    }

    @Override
    public List<Statement> code(int thread) {
        return thread == 1
                ? List.of(store(FLAG, 1))
                : List.of(requested(), load(FLAG), waitForFlag(), entered(threads), exited());
    }

    private Statement waitForFlag() {
        return switch (variant) {
            case PLAIN -> spinWhile(X.is(0));
            case VOLATILE -> loopWhile(X.is(0), load(FLAG));
        };
    }
}
