package habemus.stress;

import habemus.course.threads.Counter;
import habemus.course.threads.CounterVariant;
import habemus.course.threads.StressReport.Linearizability;
import habemus.course.threads.StressReport.Structure;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jspecify.annotations.Nullable;

/**
 * Data structures under Lincheck, which lets threads call random operations, walks the interleavings, and looks for a
 * sequential order that explains the results.
 */
public final class LincheckStructures {

    private static final List<StructureTest> TESTS = List.of(
            new StructureTest("volatile n++", false, BrokenCounter.class),
            new StructureTest("AtomicLong", true, AtomicCounter.class),
            new StructureTest("queue without compare-and-set", false, BrokenQueue.class),
            new StructureTest("queue of Michael and Scott", true, CorrectQueue.class));

    private LincheckStructures() {}

    /** @param operations a class with operations that Lincheck calls */
    private record StructureTest(String name, boolean isCorrect, Class<?> operations) {

        Structure run() {
            try {
                new ModelCheckingOptions()
                        .iterations(10)
                        .threads(2)
                        .actorsPerThread(2)
                        .actorsBefore(1)
                        .actorsAfter(1)
                        .invocationsPerIteration(500)
                        .check(operations);
                return new Structure(name, isCorrect, true, List.of());
            } catch (AssertionError found) {
                return new Structure(name, isCorrect, false, interleaving(String.valueOf(found.getMessage())));
            }
        }
    }

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
        var structures = new ArrayList<Structure>();
        for (var test : TESTS) {
            progress.show(structures.size(), TESTS.size(), test.name);
            structures.add(test.run());
        }
        return new Linearizability(structures);
    }

    /** Without the second trace of Lincheck, which names every line of code. */
    static List<String> interleaving(String message) {
        return message.lines()
                .takeWhile(line -> !line.equals("Detailed trace:"))
                .filter(line -> !line.isBlank() && !line.equals("---"))
                .toList();
    }
}
