package habemus.threads;

import static habemus.threads.Locks.monitor;
import static habemus.threads.Locks.multiLock;
import static habemus.threads.Statement.entered;
import static habemus.threads.Statement.exited;
import static habemus.threads.Statement.repeat;
import static habemus.threads.Statement.requested;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Philosophers sit around a table, with one fork between two of them. A philosopher eats with the forks on both sides.
 *
 * <p>If each takes the left fork first, all of them may hold one fork and wait for the other for ever.
 *
 * @see "Dijkstra, Hierarchical Ordering of Sequential Processes, 1971"
 */
public record DiningPhilosophers(TwoLocks.Cure variant, int threads, int rounds) implements ThreadMachine {

    private static String fork(int number) {
        return "fork" + number;
    }

    @Override
    public List<SharedObject> objects() {
        return variant == TwoLocks.Cure.LOCK_ALL
                ? List.of(multiLock(TwoLocks.TABLE))
                : IntStream.rangeClosed(1, threads)
                        .mapToObj(number -> monitor(fork(number)))
                        .toList();
    }

    @Override
    public List<Statement> code(int thread) {
        int right = thread % threads + 1;
        var forks = new TwoLocks(fork(thread), thread, fork(right), right);
        return List.of(
                repeat(rounds, requested(), forks.lock(variant), entered(threads), exited(), forks.unlock(variant)));
    }
}
