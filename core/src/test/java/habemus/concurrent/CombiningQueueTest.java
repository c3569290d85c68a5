package habemus.concurrent;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CombiningQueueTest {

    private final CombiningQueue<Runnable> queue = new CombiningQueue<>(this::runPending);
    private final CountDownLatch calls = new CountDownLatch(20);
    private final AtomicBoolean isRunning = new AtomicBoolean();
    private final AtomicBoolean overlapped = new AtomicBoolean();
    private long delayNanos = HOURS.toNanos(1);

    private long runPending() {
        if (!isRunning.compareAndSet(false, true)) {
            overlapped.set(true);
        }
        calls.countDown();
        for (@Nullable Runnable next = queue.poll(); next != null; next = queue.poll()) {
            next.run();
        }
        isRunning.set(false);
        return delayNanos;
    }

    @AfterEach
    void stop() throws InterruptedException {
        queue.stop();
        queue.join();
        assertThat(overlapped).as("two calls of the handler at once").isFalse();
    }

    private void start() {
        queue.start(Thread.ofPlatform().daemon().factory());
    }

    @Test
    void a_single_submitter_runs_its_event_on_its_own_thread() {
        start();
        var runners = new ArrayList<Thread>();
        queue.submit(() -> {});
        for (int i = 0; i < 100 && runners.size() < 50; i++) {
            queue.submit(() -> runners.add(Thread.currentThread()));
        }
        assertThat(runners).contains(Thread.currentThread());
    }

    @Test
    void every_event_of_many_submitters_runs() throws InterruptedException {
        start();
        var sum = new int[1]; // touched by the handler only
        int threads = 8;
        int eventsPerThread = 20_000;
        var done = new CountDownLatch(threads * eventsPerThread);
        var all = new ArrayList<Thread>();
        for (int i = 0; i < threads; i++) {
            all.add(Thread.ofVirtual().start(() -> {
                for (int j = 0; j < eventsPerThread; j++) {
                    queue.submit(() -> {
                        sum[0]++;
                        done.countDown();
                    });
                }
            }));
        }
        assertThat(done.await(20, SECONDS)).isTrue();
        for (var thread : all) {
            thread.join();
        }
        assertThat(sum[0]).isEqualTo(threads * eventsPerThread);
    }

    @Test
    void an_enqueued_event_waits_until_the_queue_is_drained() {
        var order = new ArrayList<Integer>();
        queue.enqueue(() -> order.add(1));
        queue.enqueue(() -> order.add(2));
        assertThat(order).isEmpty();
        queue.drain();
        assertThat(order).isEqualTo(List.of(1, 2));
    }

    @Test
    void an_event_submitted_by_a_handler_runs_on_the_queue_thread() throws InterruptedException {
        start();
        var ran = new CountDownLatch(1);
        queue.submit(() -> {
            queue.submit(ran::countDown); // not run before the handler returns
            assertThat(ran.getCount()).isEqualTo(1);
        });
        assertThat(ran.await(10, SECONDS)).isTrue();
    }

    @Test
    void the_queue_thread_runs_the_handler_when_its_delay_has_passed() throws InterruptedException {
        start();
        queue.submit(() -> delayNanos = MILLISECONDS.toNanos(1));
        assertThat(calls.await(20, SECONDS)).isTrue();
    }

    @Test
    void after_stop_submitters_run_their_events_themselves() throws InterruptedException {
        start();
        queue.stop();
        queue.join();
        var runners = new ArrayList<Thread>();
        queue.submit(() -> queue.submit(() -> runners.add(Thread.currentThread())));
        assertThat(runners).isEqualTo(List.of(Thread.currentThread()));
    }
}
