package habemus.stress;

import habemus.course.threads.Counter;
import habemus.course.threads.CounterVariant;
import habemus.course.threads.StressReport.Linearizability;
import habemus.course.threads.StressReport.Structure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jspecify.annotations.Nullable;

/**
 * Data structures under Lincheck, which lets threads call random operations, walks the interleavings, and looks for a
 * sequential order that explains the results.
 */
public final class LinearizabilityTests {

    private LinearizabilityTests() {}

    /** The operations of a correct queue. */
    public static class CorrectQueue {
        private final MichaelScottQueue queue = new MichaelScottQueue();

        @Operation
        public void enqueue(int value) {
            queue.enqueue(value);
        }

        @Operation
        public @Nullable Integer dequeue() {
            return queue.dequeue();
        }
    }

    /** The operations of a broken queue. */
    public static class BrokenQueue {
        private final DoubleDequeueQueue queue = new DoubleDequeueQueue();

        @Operation
        public void enqueue(int value) {
            queue.enqueue(value);
        }

        @Operation
        public @Nullable Integer dequeue() {
            return queue.dequeue();
        }
    }

    /** The operations of a counter that increments atomically. */
    public static class AtomicCounter {
        private final Counter counter = CounterVariant.ATOMIC_LONG.create();

        @Operation
        public void increment() {
            counter.increment();
        }

        @Operation
        public long get() {
            return counter.value();
        }
    }

    /** The operations of a counter that loses updates. */
    public static class BrokenCounter {
        private final Counter counter = CounterVariant.VOLATILE.create();

        @Operation
        public void increment() {
            counter.increment();
        }

        @Operation
        public long get() {
            return counter.value();
        }
    }

    static Linearizability run(StressProgress progress) {
        Map<String, Class<?>> tests = new LinkedHashMap<>();
        tests.put("volatile n++", BrokenCounter.class);
        tests.put("AtomicLong", AtomicCounter.class);
        tests.put("queue without compare-and-set", BrokenQueue.class);
        tests.put("queue of Michael and Scott", CorrectQueue.class);
        var structures = new ArrayList<Structure>();
        tests.forEach((name, operations) -> {
            progress.show(structures.size(), tests.size(), name);
            structures.add(check(name, operations));
        });
        return new Linearizability(structures);
    }

    private static Structure check(String name, Class<?> operations) {
        try {
            new ModelCheckingOptions()
                    .iterations(20)
                    .threads(2)
                    .actorsPerThread(2)
                    .actorsBefore(1)
                    .actorsAfter(1)
                    .invocationsPerIteration(1_000)
                    .check(operations);
            return new Structure(name, true, List.of());
        } catch (AssertionError found) {
            return new Structure(
                    name, false, String.valueOf(found.getMessage()).lines().toList());
        }
    }
}
