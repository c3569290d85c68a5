package habemus.course.chapter;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicStampedReference;
import java.util.concurrent.atomic.LongAdder;

/** Compare-and-set writes only if the value is still the one that was read; otherwise the thread tries again. */
final class CompareAndSetRetries implements Demonstration {

    private static final int THREADS = 4;
    private static final int INCREMENTS = 200_000;

    @Override
    public String name() {
        return "atomics";
    }

    @Override
    public String claim() {
        return "Compare-and-set fails after a write of another thread; the loop tries again.";
    }

    @Override
    public List<Observation> run() throws InterruptedException {
        return List.of(failure(), retries(), adder(), reusedValue(), stamp());
    }

    private static Observation failure() throws InterruptedException {
        var counter = new AtomicLong();
        long read = counter.get();
        Thread.ofPlatform().start(counter::incrementAndGet).join();
        boolean first = counter.compareAndSet(read, read + 1);
        read = counter.get();
        boolean second = counter.compareAndSet(read, read + 1);
        return Observation.of(
                "compare-and-set fails if another thread wrote after the read; the retry succeeds",
                "first attempt " + first + ", second " + second + ", counter " + counter,
                !first && second && counter.get() == 2);
    }

    private static Observation retries() throws InterruptedException {
        var counter = new AtomicLong();
        var retries = new LongAdder();
        runInThreads(() -> {
            long read = counter.get();
            while (!counter.compareAndSet(read, read + 1)) {
                retries.increment();
                read = counter.get();
            }
        });
        long total = (long) THREADS * INCREMENTS;
        return Observation.of(
                "no increment is lost, however many attempts fail",
                counter + " of " + total + " increments, " + retries + " retries by " + THREADS + " threads",
                counter.get() == total);
    }

    private static Observation adder() throws InterruptedException {
        var adder = new LongAdder();
        runInThreads(adder::increment);
        long total = (long) THREADS * INCREMENTS;
        return Observation.of(
                "a LongAdder has a cell for each contending thread; its sum is complete after join",
                adder + " of " + total + " increments",
                adder.sum() == total);
    }

    private static Observation reusedValue() throws InterruptedException {
        var top = new AtomicReference<>("A");
        var read = top.get();
        Thread.ofPlatform()
                .start(() -> {
                    top.set("B");
                    top.set("A");
                })
                .join();
        boolean swapped = top.compareAndSet(read, "C");
        return Observation.of(
                "compare-and-set does not see that a value changed and came back (ABA)",
                "A → B → A, then the swap of A: " + swapped,
                swapped);
    }

    private static Observation stamp() throws InterruptedException {
        var top = new AtomicStampedReference<>("A", 0);
        var read = top.getReference();
        int stamp = top.getStamp();
        Thread.ofPlatform()
                .start(() -> {
                    top.set("B", 1);
                    top.set("A", 2);
                })
                .join();
        boolean swapped = top.compareAndSet(read, "C", stamp, stamp + 1);
        return Observation.of(
                "a stamp that grows with every write shows it",
                "A/0 → B/1 → A/2, then the swap of A/0: " + swapped,
                !swapped);
    }

    private static void runInThreads(Runnable increment) throws InterruptedException {
        var allRun = new CountDownLatch(THREADS);
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                allRun.countDown();
                Latches.await(allRun);
                for (int n = 0; n < INCREMENTS; n++) {
                    increment.run();
                }
            }));
        }
        for (var thread : threads) {
            thread.join();
        }
    }
}
