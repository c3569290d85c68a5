package habemus.client;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.concurrent.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CombiningEventLoopTest {

    private final AtomicInteger flushes = new AtomicInteger();
    private final CombiningEventLoop loop = new CombiningEventLoop("loop", flushes::incrementAndGet);

    @Test
    void every_task_of_many_submitters_runs_alone() throws InterruptedException {
        var sum = new int[1]; // no synchronization of its own
        int threads = 8;
        int tasksPerThread = 20_000;
        var done = new CountDownLatch(threads * tasksPerThread);
        for (int i = 0; i < threads; i++) {
            Thread.ofVirtual().start(() -> {
                for (int j = 0; j < tasksPerThread; j++) {
                    loop.execute(() -> {
                        sum[0]++;
                        done.countDown();
                    });
                }
            });
        }
        assertThat(done.await(20, SECONDS)).isTrue();
        assertThat(sum[0]).isEqualTo(threads * tasksPerThread);
    }

    @Test
    void a_thread_is_in_the_loop_while_it_runs_a_task() {
        var inside = new ArrayList<Boolean>();
        loop.execute(() -> inside.add(loop.inEventLoop()));
        inside.add(loop.inEventLoop());
        assertThat(inside).containsExactly(true, false);
    }

    @Test
    void the_action_after_tasks_runs_outside_the_loop() {
        loop.execute(() -> assertThat(flushes).hasValue(0));
        assertThat(flushes).hasValue(1);
    }

    @Test
    void a_scheduled_task_runs_in_the_loop_after_its_delay() throws InterruptedException {
        var delay = Duration.ofMillis(20);
        var ran = new CountDownLatch(1);
        long before = loop.nanoTime();
        var after = new AtomicReference<Long>();
        loop.schedule(delay, () -> {
            after.set(loop.nanoTime());
            if (loop.inEventLoop()) {
                ran.countDown();
            }
        });
        assertThat(ran.await(20, SECONDS)).isTrue();
        assertThat(after.get() - before).isGreaterThanOrEqualTo(delay.toNanos());
    }

    /** The cancelled tasks are due. Some wait in the loop already, behind the task that cancels them. */
    @Test
    void a_task_that_is_cancelled_in_the_loop_does_not_run() throws InterruptedException {
        var ran = new AtomicInteger();
        var later = new CountDownLatch(1);
        loop.execute(() -> {
            var scheduled = new ArrayList<EventLoop.Cancellable>();
            for (int i = 0; i < 10_000; i++) {
                scheduled.add(loop.schedule(Duration.ZERO, ran::incrementAndGet));
            }
            scheduled.forEach(EventLoop.Cancellable::cancel);
            loop.schedule(Duration.ZERO, later::countDown);
        });
        assertThat(later.await(20, SECONDS)).isTrue();
        assertThat(ran).hasValue(0);
    }
}
