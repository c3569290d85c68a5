package habemus.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SerialExecutorTest {

    /** Submits tasks from several threads. Lincheck explores the interleavings, and validates each at its end. */
    public static class Submitters {

        private final SerialExecutor executor = new SerialExecutor(Runnable::run);
        private final AtomicInteger submitted = new AtomicInteger();
        private int ended; // no synchronization of its own
        private boolean isRunning;
        private boolean wasWrong;

        @Operation
        public void submit() {
            submitted.incrementAndGet();
            executor.execute(() -> {
                wasWrong |= isRunning || !executor.isCurrentThread();
                isRunning = true;
                ended++;
                isRunning = false;
            });
        }

        @Validate
        public void every_task_has_run_alone() {
            if (wasWrong || ended != submitted.get() || executor.isCurrentThread()) {
                throw new IllegalStateException(ended + " of " + submitted + " tasks have run, alone: " + !wasWrong);
            }
        }
    }

    @Test
    @Tag("slow")
    void every_task_of_concurrent_submitters_runs_once_and_alone() {
        new ModelCheckingOptions()
                .iterations(1) // all operations are equal, so there is one scenario
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(0)
                .invocationsPerIteration(1_000)
                .check(Submitters.class);
    }

    @Test
    void a_submitter_runs_its_task_on_its_own_thread() {
        var executor = new SerialExecutor(Runnable::run);
        var runners = new ArrayList<Thread>();
        executor.execute(() -> runners.add(Thread.currentThread()));
        assertThat(runners).containsExactly(Thread.currentThread());
    }

    @Test
    void a_task_of_a_task_runs_after_it() {
        var executor = new SerialExecutor(Runnable::run);
        var order = new ArrayList<Integer>();
        executor.execute(() -> {
            executor.execute(() -> order.add(2));
            order.add(1);
        });
        assertThat(order).containsExactly(1, 2);
    }

    @Test
    void a_task_that_fails_does_not_stop_the_next() {
        var executor = new SerialExecutor(Runnable::run);
        var order = new ArrayList<Integer>();
        executor.execute(() -> {
            executor.execute(() -> order.add(1));
            throw new IllegalStateException("expected");
        });
        assertThat(order).containsExactly(1);
    }

    @Test
    void a_submitter_leaves_endless_tasks_to_the_next_executor() {
        Queue<Runnable> handedOver = new ArrayDeque<>();
        var executor = new SerialExecutor(Runnable::run, handedOver::add);
        var runs = new AtomicInteger();
        executor.execute(new Runnable() {
            @Override
            public void run() {
                runs.incrementAndGet();
                executor.execute(this);
            }
        });
        int before = runs.get();
        assertThat(handedOver).hasSize(1);
        executor.execute(() -> {}); // left to the next executor too
        assertThat(runs).hasValue(before);
        handedOver.remove().run();
        assertThat(runs).hasValueGreaterThan(before);
        assertThat(handedOver).hasSize(1);
        assertThat(executor.isCurrentThread()).isFalse();
    }
}
