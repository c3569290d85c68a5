package habemus.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class ClientsTest {

    private static Peer.Session session(Peer.Lock lock) {
        return new Peer.Session() {
            @Override
            public Peer.Lock lock(String name) {
                return lock;
            }

            @Override
            public void close() {}
        };
    }

    private static Clients until(CountDownLatch done, Peer.Lock lock) throws Exception {
        var clients =
                Clients.start(List.of(session(lock)), true, 4, (client, asked, granted, released) -> done.countDown());
        done.await();
        clients.end();
        return clients;
    }

    @Test
    void a_lock_that_excludes_shows_no_overlaps() throws Exception {
        var lock = new ReentrantLock();
        var clients = until(new CountDownLatch(1_000), () -> {
            lock.lock();
            return lock::unlock;
        });
        assertThat(clients.overlaps()).isZero();
        assertThat(clients.failed()).isZero();
    }

    @Test
    void a_lock_that_lets_everybody_in_is_found_out() throws Exception {
        assertThat(until(new CountDownLatch(1_000_000), () -> () -> {}).overlaps())
                .isPositive();
    }

    @Test
    void what_fails_is_counted_and_tried_again() throws Exception {
        var first = new CountDownLatch(1);
        var clients = until(new CountDownLatch(1), () -> {
            if (first.getCount() > 0) {
                first.countDown();
                throw new IOException("not yet");
            }
            return () -> {};
        });
        assertThat(clients.failed()).isPositive();
        assertThat(clients.lastFailure()).contains("not yet");
    }
}
