package habemus.stress;

import habemus.course.threads.Counter;
import habemus.course.threads.CounterVariant;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** All threads increment one counter. */
@State(Scope.Benchmark)
public class CounterBenchmark {

    @Param("PLAIN")
    private CounterVariant variant = CounterVariant.PLAIN;

    private Counter counter = variant.create();

    @Setup
    public void create() {
        counter = variant.create();
    }

    @Benchmark
    public void increment() {
        counter.increment();
    }
}
