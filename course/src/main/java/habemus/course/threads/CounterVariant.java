package habemus.course.threads;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/** The shared counter in Java: two forms that lose updates, and six cures. */
public enum CounterVariant {
    PLAIN("n++", "race"),
    VOLATILE("volatile n++", "race"),
    SYNCHRONIZED("synchronized", "lock-each"),
    REENTRANT_LOCK("ReentrantLock", "lock-each"),
    ATOMIC_LONG("AtomicLong", "atomic"),
    COMPARE_AND_SET("compare-and-set", "compare-and-set"),
    LONG_ADDER("LongAdder", "atomic"),
    THREAD_LOCAL("thread-local sum", "thread-local");

    private final String label;
    private final String checkedVariant;

    CounterVariant(String label, String checkedVariant) {
        this.label = label;
        this.checkedVariant = checkedVariant;
    }

    public Counter create() {
        return switch (this) {
            case PLAIN -> new Plain();
            case VOLATILE -> new Volatile();
            case SYNCHRONIZED -> new Synchronized();
            case REENTRANT_LOCK -> new Locked();
            case ATOMIC_LONG -> new Atomic();
            case COMPARE_AND_SET -> new CompareAndSet();
            case LONG_ADDER -> new Adder();
            case THREAD_LOCAL -> new Local();
        };
    }

    /** The name as programmers write it. */
    public String label() {
        return label;
    }

    /** The variant of the program {@code shared-counter} that the checker walks. */
    public String checkedVariant() {
        return checkedVariant;
    }

    /** Whether no interleaving loses an update. */
    public boolean isCorrect() {
        return !checkedVariant.equals("race");
    }

    /** @throws IllegalArgumentException if no variant has this label */
    public static CounterVariant of(String label) {
        return Arrays.stream(values())
                .filter(variant -> variant.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown counter: " + label));
    }

    /** Reads, adds and writes: three steps. */
    private static final class Plain implements Counter {
        private long n;

        @Override
        public void increment() {
            n++;
        }

        @Override
        public long value() {
            return n;
        }
    }

    /** Every write is seen by the next read, but another thread may write between this read and this write. */
    private static final class Volatile implements Counter {
        private volatile long n;

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // the defect that this counter shows
        public void increment() {
            n++;
        }

        @Override
        public long value() {
            return n;
        }
    }

    /** One thread at a time holds the monitor of the counter. */
    private static final class Synchronized implements Counter {
        private long n;

        @Override
        public synchronized void increment() {
            n++;
        }

        @Override
        public synchronized long value() {
            return n;
        }
    }

    /** One thread at a time holds the lock. */
    private static final class Locked implements Counter {
        private final ReentrantLock lock = new ReentrantLock();
        private long n;

        @Override
        public void increment() {
            lock.lock();
            try {
                n++;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public long value() {
            lock.lock();
            try {
                return n;
            } finally {
                lock.unlock();
            }
        }
    }

    /** One instruction of the processor reads, adds and writes. */
    private static final class Atomic implements Counter {
        private final AtomicLong n = new AtomicLong();

        @Override
        public void increment() {
            n.incrementAndGet();
        }

        @Override
        public long value() {
            return n.get();
        }
    }

    /** Writes only if no other thread has written since the read; otherwise tries again. */
    private static final class CompareAndSet implements Counter {
        private final AtomicLong n = new AtomicLong();

        @Override
        public void increment() {
            long read;
            do {
                read = n.get();
            } while (!n.compareAndSet(read, read + 1));
        }

        @Override
        public long value() {
            return n.get();
        }
    }

    /** Threads that collide move to cells of their own; the value is the sum of the cells. */
    private static final class Adder implements Counter {
        private final LongAdder n = new LongAdder();

        @Override
        public void increment() {
            n.increment();
        }

        @Override
        public long value() {
            return n.sum();
        }
    }

    /** Each thread counts alone, and adds its sum to the shared counter once. */
    private static final class Local implements Counter {
        private final ThreadLocal<long[]> sum = ThreadLocal.withInitial(() -> new long[1]);
        private final AtomicLong n = new AtomicLong();

        @Override
        public void increment() {
            sum.get()[0]++;
        }

        @Override
        public void finish() {
            n.addAndGet(sum.get()[0]);
            sum.remove();
        }

        @Override
        public long value() {
            return n.get();
        }
    }
}
