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

    private final CombiningQueue<Runnable> combiningQueue = new CombiningQueue<>(this::work);
    private final CountDownLatch looked = new CountDownLatch(20);
    private final AtomicBoolean inside = new AtomicBoolean();
    private final AtomicBoolean metSomebody = new AtomicBoolean();
    private long pause = HOURS.toNanos(1);

    private long work() {
        if (!inside.compareAndSet(false, true)) {
            metSomebody.set(true);
        }
        looked.countDown();
        for (@Nullable Runnable next = combiningQueue.poll(); next != null; next = combiningQueue.poll()) {
            next.run();
        }
        inside.set(false);
        return pause;
    }

    @AfterEach
    void stop() throws InterruptedException {
        combiningQueue.stop();
        combiningQueue.join();
        assertThat(metSomebody).as("two at once").isFalse();
    }

    private void start() {
        combiningQueue.start(Thread.ofPlatform().daemon().factory());
    }

    @Test
    void who_comes_alone_does_it_at_once_and_itself() {
        start();
        var doers = new ArrayList<Thread>();
        combiningQueue.submit(() -> {});
        for (int i = 0; i < 100 && doers.size() < 50; i++) {
            combiningQueue.submit(() -> doers.add(Thread.currentThread()));
        }
        assertThat(doers).contains(Thread.currentThread());
    }

    @Test
    void nothing_is_left_lying_however_many_come() throws InterruptedException {
        start();
        var sum = new int[1]; // only touched by turns
        int threads = 8;
        int each = 20_000;
        var done = new CountDownLatch(threads * each);
        var all = new ArrayList<Thread>();
        for (int i = 0; i < threads; i++) {
            all.add(Thread.ofVirtual().start(() -> {
                for (int j = 0; j < each; j++) {
                    combiningQueue.submit(() -> {
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
        assertThat(sum[0]).isEqualTo(threads * each);
    }

    @Test
    void what_was_put_waits_until_somebody_attends() {
        var order = new ArrayList<Integer>();
        combiningQueue.enqueue(() -> order.add(1));
        combiningQueue.enqueue(() -> order.add(2));
        assertThat(order).isEmpty();
        combiningQueue.drain();
        assertThat(order).isEqualTo(List.of(1, 2));
    }

    @Test
    void who_is_at_it_is_not_disturbed_and_the_thread_does_the_rest() throws InterruptedException {
        start();
        var doer = new CountDownLatch(1);
        combiningQueue.submit(() -> {
            combiningQueue.submit(doer::countDown); // from within: not now
            assertThat(doer.getCount()).isEqualTo(1);
        });
        assertThat(doer.await(10, SECONDS)).isTrue();
    }

    @Test
    void the_thread_looks_when_something_is_due_though_nobody_comes() throws InterruptedException {
        start();
        combiningQueue.submit(() -> pause = MILLISECONDS.toNanos(1));
        assertThat(looked.await(20, SECONDS)).isTrue();
    }

    @Test
    void after_the_end_it_is_done_by_those_who_come() throws InterruptedException {
        start();
        combiningQueue.stop();
        combiningQueue.join();
        var doers = new ArrayList<Thread>();
        combiningQueue.submit(() -> combiningQueue.submit(() -> doers.add(Thread.currentThread())));
        assertThat(doers).isEqualTo(List.of(Thread.currentThread()));
    }
}
