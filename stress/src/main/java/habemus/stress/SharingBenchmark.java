package habemus.stress;

import jdk.internal.vm.annotation.Contended;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Two threads increment two counters, one each. No counter has two writers, so nothing is lost. If both counters are in
 * one cache line, each write takes the line away from the other processor.
 */
public class SharingBenchmark {

    /** Two counters side by side. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // each counter has one writer
    public static class SameLine {
        private volatile long first;
        private volatile long second;

        long incrementFirst() {
            return ++first;
        }

        long incrementSecond() {
            return ++second;
        }
    }

    /** Seven numbers that are never used push the second counter into the next line. */
    @SuppressWarnings({"NonAtomicVolatileUpdate", "UnusedVariable"}) // each counter has one writer
    public static class Padded {
        private volatile long first;
        private long p1;
        private long p2;
        private long p3;
        private long p4;
        private long p5;
        private long p6;
        private long p7;
        private volatile long second;

        long incrementFirst() {
            return ++first;
        }

        long incrementSecond() {
            return ++second;
        }
    }

    /** The JVM pads: it knows the processor. Applications need {@code -XX:-RestrictContended}. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // each counter has one writer
    public static class ContendedPair {
        @Contended
        private volatile long first;

        @Contended
        private volatile long second;

        long incrementFirst() {
            return ++first;
        }

        long incrementSecond() {
            return ++second;
        }
    }

    /** The objects under test, each at the start of a cache line. */
    @State(Scope.Group)
    public static class Objects {
        private final SameLine sameLine = CacheLines.aligned(SameLine::new);
        private final Padded padded = CacheLines.aligned(Padded::new);
        private final ContendedPair contended = CacheLines.aligned(ContendedPair::new);

        public Objects() {
            if (CacheLines.layout("@Contended", ContendedPair.class).shareLine("first", "second")) {
                throw new IllegalStateException("the JVM ignores @Contended: it needs -XX:-RestrictContended");
            }
        }
    }

    @Benchmark
    @Group("sameLine")
    public long sameLineFirst(Objects objects) {
        return objects.sameLine.incrementFirst();
    }

    @Benchmark
    @Group("sameLine")
    public long sameLineSecond(Objects objects) {
        return objects.sameLine.incrementSecond();
    }

    @Benchmark
    @Group("padded")
    public long paddedFirst(Objects objects) {
        return objects.padded.incrementFirst();
    }

    @Benchmark
    @Group("padded")
    public long paddedSecond(Objects objects) {
        return objects.padded.incrementSecond();
    }

    @Benchmark
    @Group("contended")
    public long contendedFirst(Objects objects) {
        return objects.contended.incrementFirst();
    }

    @Benchmark
    @Group("contended")
    public long contendedSecond(Objects objects) {
        return objects.contended.incrementSecond();
    }
}
