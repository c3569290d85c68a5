package habemus.client;

import static habemus.client.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.lockservice.ResourceName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Exclusive locks, from the view of an application. */
@Timeout(30)
class LockTest {

    private final FakeService service = new FakeService(3);
    private Habemus one;
    private Habemus two;

    @BeforeEach
    void connect() {
        one = Habemus.connect(
                ClientOptions.to(service.endpoints()).withName("one").withLease(Duration.ofSeconds(30)));
        two = Habemus.connect(
                ClientOptions.to(service.endpoints()).withName("two").withLease(Duration.ofSeconds(30)));
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
        service.close();
    }

    private void untilWaiting(String lock, int count) {
        until(() -> service.table().resources().get(ResourceName.lock(lock)).stream()
                .anyMatch(l -> l.queue().size() == count));
    }

    @Test
    void fences_grow_with_every_grant() throws InterruptedException {
        long before = 0;
        for (int i = 0; i < 10; i++) {
            try (var grant = (i % 2 == 0 ? one : two).lock("orders").acquire(Duration.ofSeconds(5))) {
                assertThat(grant.fence()).isGreaterThan(before);
                assertThat(grant.isValid()).isTrue();
                assertThat(grant.remaining()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(30));
                before = grant.fence();
            }
        }
        assertThat(service.table().resources().isEmpty()).isTrue();
    }

    @Test
    void a_waiter_is_granted_when_the_holder_closes() throws Exception {
        var first = one.lock("orders").acquire();
        var second = two.lock("orders").acquireAsync();
        untilWaiting("orders", 1);
        assertThat(second).isNotDone();
        first.close();
        assertThat(second.get().fence()).isGreaterThan(first.fence());
        assertThat(first.isValid()).isFalse();
        assertThat(first.remaining()).isZero();
        first.close();
        assertThat(second.get().isValid()).isTrue();
    }

    @Test
    void a_try_returns_the_holder() throws InterruptedException {
        assertThat(one.lock("orders").tryAcquire()).isInstanceOf(AcquireResult.Granted.class);
        var busy = (AcquireResult.Busy) two.lock("orders").tryAcquire();
        assertThat(busy.holder().map(holder -> holder.client().name())).contains("one");
        assertThat(busy.holder().map(LockStatus.Holder::since)).isPresent();
    }

    @Test
    void a_request_that_times_out_leaves_the_queue() throws InterruptedException {
        var first = one.lock("orders").acquire();
        assertThatThrownBy(() -> two.lock("orders").acquire(Duration.ofSeconds(1)))
                .isInstanceOf(LockTimeoutException.class);
        until(() -> service.table()
                .resources()
                .get(ResourceName.lock("orders"))
                .orElseThrow()
                .queue()
                .isEmpty());
        assertThat(first.isValid()).isTrue();
    }

    @Test
    void a_cancelled_future_leaves_the_queue() throws InterruptedException {
        one.lock("orders").acquire();
        var future = two.lock("orders").acquireAsync();
        untilWaiting("orders", 1);
        future.cancel(false);
        until(() -> service.table()
                .resources()
                .get(ResourceName.lock("orders"))
                .orElseThrow()
                .queue()
                .isEmpty());
    }

    @Test
    void an_interrupted_request_leaves_the_queue() throws InterruptedException {
        one.lock("orders").acquire();
        var thrown = new AtomicReference<Exception>();
        var waiting = Thread.ofVirtual().start(() -> {
            try {
                two.lock("orders").acquire();
            } catch (InterruptedException | RuntimeException e) {
                thrown.set(e);
            }
        });
        untilWaiting("orders", 1);
        waiting.interrupt();
        waiting.join();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        until(() -> service.table()
                .resources()
                .get(ResourceName.lock("orders"))
                .orElseThrow()
                .queue()
                .isEmpty());
    }

    @Test
    void a_grant_of_a_cancelled_request_is_released() throws InterruptedException {
        var first = one.lock("orders").acquire();
        for (int i = 0; i < 50; i++) {
            var future = two.lock("orders").acquireAsync();
            if (i % 2 == 0) {
                untilWaiting("orders", 1);
            }
            first.close();
            if (!future.cancel(false)) {
                future.join().close();
            }
            first = one.lock("orders").acquire(Duration.ofSeconds(15));
        }
    }

    @Test
    void a_holder_is_notified_when_an_operator_revokes_its_lock() throws InterruptedException {
        var grant = one.lock("orders").acquire();
        var notified = new AtomicReference<LossReason>();
        var calls = new AtomicInteger();
        grant.onLost(notified::set);
        grant.onLost(calls::incrementAndGet);
        service.revoke(ResourceName.lock("orders"), "stuck");
        until(() -> notified.get() != null && calls.get() == 1);
        assertThat(notified.get()).isEqualTo(new LossReason.Revoked("eve", "stuck"));
        assertThatThrownBy(grant::ensureValid)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("eve");
        var late = new CountDownLatch(1);
        grant.onLost(late::countDown);
        late.await();
        grant.close();
        assertThatThrownBy(grant::release).isInstanceOf(LockLostException.class);
        assertThat(calls).hasValue(1);
        two.lock("orders").acquire(Duration.ofSeconds(5)).close();
    }

    @Test
    void many_threads_can_share_one_client() throws Exception {
        var holders = new AtomicInteger();
        var most = new AtomicInteger();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 40; i++) {
            var client = i % 2 == 0 ? one : two;
            threads.add(Thread.ofVirtual().start(() -> {
                try (var grant = client.lock("orders").acquire()) {
                    most.accumulateAndGet(holders.incrementAndGet(), Math::max);
                    assertThat(grant.isValid()).isTrue();
                    holders.decrementAndGet();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }));
        }
        for (var thread : threads) {
            thread.join();
        }
        assertThat(most).hasValue(1);
        assertThat(service.table().history().size()).isEqualTo(40);
    }

    @Test
    void the_status_shows_holders_waiters_and_history() throws Exception {
        one.lock("orders").acquire().close();
        var held = one.lock("orders").acquire();
        var waiting = two.lock("orders").acquireAsync();
        untilWaiting("orders", 1);
        var resourceStatus = two.lock("orders").describe();
        assertThat(resourceStatus.holders()).singleElement().satisfies(holder -> {
            assertThat(holder.fence()).isEqualTo(held.fence());
            assertThat(holder.client().name()).isEqualTo("one");
        });
        assertThat(resourceStatus.waiters())
                .singleElement()
                .satisfies(waiter -> assertThat(waiter.client().name()).isEqualTo("two"));
        assertThat(resourceStatus.history()).hasSize(1);
        assertThat(waiting).isNotDone();
    }

    @Test
    void a_closed_client_releases_everything() throws Exception {
        var grant = one.lock("orders").acquire();
        var notified = new AtomicReference<LossReason>();
        grant.onLost(notified::set);
        var waiting = one.lock("orders").acquireAsync();
        one.close();
        two.lock("orders").acquire(Duration.ofSeconds(5)).close();
        until(() -> notified.get() != null);
        assertThat(notified.get()).isEqualTo(new LossReason.ClientClosed());
        assertThatThrownBy(waiting::get).hasCauseInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> one.lock("orders").acquire()).isInstanceOf(IllegalStateException.class);
        one.close();
    }
}
