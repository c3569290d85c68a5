package habemus.concurrent;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One thing at a time, by whoever brings it: who adds something does it at once, and what else is there, unless
 * somebody is at it already. A thread is there for what is left over, and for what is due at some time. So nobody has
 * to be woken for one who comes alone, and nobody waits for another.
 *
 * @param <E> what is brought
 */
public final class CombiningQueue<E> {

    /** What is done. Whatever it touches is its own meanwhile. */
    public interface Handler {

        /**
         * Takes some of what there is to {@linkplain CombiningQueue#poll take}. Does not throw, does not wait.
         *
         * @return nanoseconds until it is called again even if nothing comes
         */
        long runPending();
    }

    /** Nanoseconds until nothing in particular. */
    public static final long IDLE_NANOS = TimeUnit.HOURS.toNanos(1);

    /** The thread is woken only for what is due so much earlier than it meant to wake up: nanoseconds. */
    private static final long WAKE_EARLIER_NANOS = 100_000;

    /** How often one who came for another reason does what others bring meanwhile, before the thread is woken. */
    private static final int MAX_ROUNDS = 4;

    private final Handler handler;
    private final Runnable afterwards;
    private final ConcurrentLinkedQueue<E> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile long due = System.nanoTime();
    private volatile long planned; // when the thread wakes up by itself
    private volatile @Nullable Thread sleeper;
    private volatile @Nullable Thread thread;
    private volatile boolean over;

    public CombiningQueue(Handler handler) {
        this(handler, () -> {});
    }

    /** @param afterwards done by who has had a turn when it is over, so that others can have theirs meanwhile */
    public CombiningQueue(Handler handler, Runnable afterwards) {
        this.handler = handler;
        this.afterwards = afterwards;
    }

    public void start(ThreadFactory factory) {
        var made = requireNonNull(factory.newThread(this::run));
        thread = made;
        made.start();
    }

    /** The thread ends. What comes after that is done by those who bring it. */
    public void stop() {
        over = true;
        wakeThread();
    }

    /** Until the thread has ended. */
    public void join() throws InterruptedException {
        var started = thread;
        if (started != null) {
            started.join();
        }
    }

    public void submit(E one) {
        enqueue(one);
        drain();
    }

    /** Whoever has more of it to bring sees to it afterwards that it is {@linkplain #drain attended to}. */
    public void enqueue(E one) {
        waiting.add(one);
    }

    /** For the work: the next, if there is one. */
    public @Nullable E poll() {
        return waiting.poll();
    }

    public boolean isEmpty() {
        return waiting.isEmpty();
    }

    /**
     * Does what there is to do, unless somebody is at it. Who comes too late to be seen by that one has seen that it is
     * at it, so it looks again.
     */
    public void drain() {
        for (int round = 1; busy.compareAndSet(false, true); round++) {
            try {
                due = System.nanoTime() + handler.runPending();
            } finally {
                busy.set(false);
            }
            afterwards.run();
            boolean isLeft = !waiting.isEmpty();
            if (!isLeft || round >= MAX_ROUNDS && !over) {
                if (isLeft || planned - due > WAKE_EARLIER_NANOS) {
                    wakeThread();
                }
                return;
            }
        }
    }

    /** The thread looks whether there is something to do. */
    public void wakeThread() {
        var asleep = sleeper;
        if (asleep != null) {
            LockSupport.unpark(asleep);
        }
    }

    private void run() {
        while (!over) {
            sleeper = requireNonNull(Thread.currentThread()); // before it looks: who changes something later sees it
            long until = due;
            boolean isMoot = busy.get(); // whoever is at it will say when to look again
            planned = isMoot ? System.nanoTime() + IDLE_NANOS : until;
            long rest = planned - System.nanoTime();
            if (rest > 0 && !over && (isMoot ? busy.get() : until == due && waiting.isEmpty())) {
                LockSupport.parkNanos(this, rest);
            }
            sleeper = null;
            drain();
        }
    }
}
