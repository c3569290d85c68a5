package habemus.bench.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class LoadClientsTest {

    private static Product.Session session(Product.Lock lock) {
        return new Product.Session() {
            @Override
            public Product.Lock lock(String name) {
                return lock;
            }

            @Override
            public void close() {}
        };
    }

    private static LoadClients until(CountDownLatch done, Product.Lock lock) throws Exception {
        var loadClients = LoadClients.start(
                List.of(session(lock)), true, 4, (client, requested, granted, released) -> done.countDown());
        done.await();
        loadClients.stop();
        return loadClients;
    }

    @Test
    void a_lock_that_excludes_shows_no_overlaps() throws Exception {
        var lock = new ReentrantLock();
        var loadClients = until(new CountDownLatch(1_000), () -> {
            lock.lock();
            return lock::unlock;
        });
        assertThat(loadClients.overlaps()).isZero();
        assertThat(loadClients.failed()).isZero();
    }

    @Test
    void a_lock_without_exclusion_shows_overlaps() throws Exception {
        assertThat(until(new CountDownLatch(1_000_000), () -> () -> {}).overlaps())
                .isPositive();
    }

    @Test
    void a_failed_cycle_is_counted_and_retried() throws Exception {
        var first = new CountDownLatch(1);
        var loadClients = until(new CountDownLatch(1), () -> {
            if (first.getCount() > 0) {
                first.countDown();
                throw new IOException("not yet");
            }
            return () -> {};
        });
        assertThat(loadClients.failed()).isPositive();
        assertThat(loadClients.lastFailure()).contains("not yet");
    }
}
