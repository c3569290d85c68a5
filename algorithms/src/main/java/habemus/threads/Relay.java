package habemus.threads;

import static habemus.threads.Expression.Local.X;
import static habemus.threads.Locks.semaphore;
import static habemus.threads.Memory.letters;
import static habemus.threads.Statement.block;
import static habemus.threads.Statement.call;
import static habemus.threads.Statement.doIf;
import static habemus.threads.Statement.doWhile;
import static habemus.threads.Statement.entered;
import static habemus.threads.Statement.exited;
import static habemus.threads.Statement.requested;
import static habemus.threads.Statement.updated;
import static habemus.threads.Verb.ACQUIRE;
import static habemus.threads.Verb.FIRST_LOWER_CASE;
import static habemus.threads.Verb.RELEASE;
import static habemus.threads.Verb.TO_UPPER_CASE;

import java.util.ArrayList;
import java.util.List;

/**
 * Threads in a ring pass a message on. Each turns one letter to upper case when it has its turn, until none is left.
 *
 * <p>Without turns two threads may take the same letter. A thread that finds no letter left must still pass the turn
 * on before it ends, or the next thread waits for ever.
 */
public record Relay(Variant variant, int threads, int characters) implements ThreadMachine {

    /** How the threads take turns. */
    public enum Variant {
        TURNS,
        NO_TURNS,
        END_WITHOUT_PASSING
    }

    /** The longest message: 80 characters. */
    public static final String TEXT =
            "when a thread has read this line and changed one letter it lets the next one run";

    private static final String MESSAGE = "message";

    private static String turn(int thread) {
        return "turn" + thread;
    }

    @Override
    public List<SharedObject> objects() {
        var objects = new ArrayList<SharedObject>();
        objects.add(letters(MESSAGE, TEXT.substring(0, characters)));
        for (int thread = 1; thread <= threads && variant != Variant.NO_TURNS; thread++) {
            objects.add(semaphore(turn(thread), thread == 1 ? 1 : 0));
        }
        return List.copyOf(objects);
    }

    @Override
    public List<Statement> code(int thread) {
        var next = turn(thread % threads + 1);
        return List.of(
                requested(),
                switch (variant) {
                    case TURNS -> doWhile(X.isAtLeast(0), call(turn(thread), ACQUIRE), change(), call(next, RELEASE));
                    case NO_TURNS -> doWhile(X.isAtLeast(0), change());
                    case END_WITHOUT_PASSING ->
                        doWhile(
                                X.isAtLeast(0),
                                call(turn(thread), ACQUIRE),
                                change(),
                                doIf(X.isAtLeast(0), call(next, RELEASE)));
                },
                entered(threads),
                exited());
    }

    private static Statement change() {
        return block(
                call(MESSAGE, FIRST_LOWER_CASE),
                doIf(X.isAtLeast(0), call(MESSAGE, TO_UPPER_CASE, X), updated(MESSAGE, 1)));
    }
}
