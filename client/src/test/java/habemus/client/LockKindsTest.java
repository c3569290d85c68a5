package habemus.client;

import static habemus.client.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.lockservice.ResourceName;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Read/write locks, semaphores, multi-locks, deadlocks, and the JDK view. */
@Timeout(30)
@SuppressWarnings("LockNotBeforeTry") // the test is about locking itself
class LockKindsTest {

    private final FakeService service = new FakeService(1);
    private Habemus client;
    private Habemus two;

    @BeforeEach
    void connect() {
        client = Habemus.connect(ClientOptions.to(service.endpoints()).withName("one"));
        two = Habemus.connect(ClientOptions.to(service.endpoints()).withName("two"));
    }

    @AfterEach
    void close() {
        client.close();
        two.close();
        service.close();
    }

    @Test
    void readers_share_the_lock_and_a_writer_excludes_them() throws Exception {
        var reading = client.readWriteLock("map").read().acquire();
        var alsoReading = two.readWriteLock("map").read().acquire();
        var writing = two.readWriteLock("map").write().acquireAsync();
        until(() -> service.table()
                        .resources()
                        .get(ResourceName.lock("map"))
                        .orElseThrow()
                        .queue()
                        .size()
                == 1);
        assertThat(client.readWriteLock("map").read().tryAcquire()).isInstanceOf(AcquireResult.Busy.class);
        reading.close();
        assertThat(writing).isNotDone();
        alsoReading.close();
        assertThat(writing.get().fence()).isGreaterThan(alsoReading.fence());
    }

    @Test
    void a_semaphore_grants_at_most_its_size_in_permits() throws Exception {
        var semaphore = client.semaphore("pool", 3);
        var both = semaphore.permits(2).acquire();
        var third = two.semaphore("pool", 3).acquire();
        assertThat(semaphore.tryAcquire()).isInstanceOf(AcquireResult.Busy.class);
        assertThat(semaphore.describe().holders()).hasSize(2);
        both.close();
        semaphore.acquire(Duration.ofSeconds(5)).close();
        third.close();
        assertThatThrownBy(() -> semaphore.permits(4)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_semaphore_of_another_size_is_rejected() throws InterruptedException {
        client.semaphore("pool", 3).acquire();
        assertThatThrownBy(() -> two.semaphore("pool", 4).acquire())
                .isInstanceOfSatisfying(
                        RequestRejectedException.class,
                        requestRejectedException ->
                                assertThat(requestRejectedException.code()).isEqualTo("size-mismatch"));
    }

    @Test
    void a_multi_lock_is_granted_completely_or_not_at_all() throws Exception {
        var b = two.lock("b").acquire();
        var both = client.multiLock("a", "b").acquireAsync();
        until(() -> service.table().resources().contains(ResourceName.lock("a")));
        assertThat(service.table().holders(ResourceName.lock("a"))).isEmpty();
        b.close();
        assertThat(both.get().isValid()).isTrue();
        assertThat(two.lock("a").tryAcquire()).isInstanceOf(AcquireResult.Busy.class);
        both.get().close();
        client.multiLock(LockShare.shared("a"), LockShare.permits("pool", 2, 3))
                .acquire()
                .close();
        assertThatThrownBy(() -> client.multiLock("a", "a").acquire()).isInstanceOf(RequestRejectedException.class);
    }

    @Test
    void deadlocks_are_reported() throws InterruptedException {
        client.lock("a").acquire();
        two.lock("b").acquire();
        assertThat(client.deadlocks()).isEmpty();
        var first = client.lock("b").acquireAsync();
        var second = two.lock("a").acquireAsync();
        until(() -> service.table()
                                .resources()
                                .get(ResourceName.lock("a"))
                                .orElseThrow()
                                .queue()
                                .size()
                        == 1
                && service.table()
                                .resources()
                                .get(ResourceName.lock("b"))
                                .orElseThrow()
                                .queue()
                                .size()
                        == 1);
        assertThat(client.deadlocks())
                .singleElement()
                .satisfies(deadlock -> assertThat(deadlock.waits())
                        .extracting(wait -> wait.client().name())
                        .containsExactlyInAnyOrder("one", "two"));
        assertThat(first.cancel(false)).isTrue();
        assertThat(second).isNotDone();
    }

    @Test
    void a_jdk_lock_is_reentrant_by_thread() throws InterruptedException {
        var lock = client.lock("orders").asLock();
        lock.lock();
        lock.lockInterruptibly();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 3; i++) {
            lock.unlock();
        }
        assertThat(two.lock("orders").tryAcquire()).isInstanceOf(AcquireResult.Busy.class);
        var other = new AtomicReference<Object>();
        Thread.ofVirtual()
                .start(() -> {
                    other.set(lock.tryLock());
                    assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
                })
                .join();
        assertThat(other.get()).isEqualTo(false);
        lock.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        two.lock("orders").acquire(Duration.ofSeconds(5)).close();
        assertThatThrownBy(lock::newCondition)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("conditions are not supported");
    }

    @Test
    void a_jdk_lock_times_out() throws InterruptedException {
        var held = two.lock("orders").acquire();
        var lock = client.lock("orders").asLock();
        assertThat(lock.tryLock()).isFalse();
        assertThat(lock.tryLock(200, TimeUnit.MILLISECONDS)).isFalse();
        held.close();
        assertThat(lock.tryLock(5, TimeUnit.SECONDS)).isTrue();
        lock.unlock();
    }

    @Test
    void a_jdk_lock_reports_a_loss_in_unlock() {
        var lock = client.lock("orders").asLock();
        lock.lock();
        service.revoke(ResourceName.lock("orders"), "test");
        until(() -> {
            try {
                lock.lock();
                lock.unlock();
                return false;
            } catch (LockLostException lost) {
                return true;
            }
        });
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        lock.lock();
        lock.unlock();
    }

    @Test
    void a_jdk_lock_keeps_an_interrupt_for_later() throws InterruptedException {
        var held = two.lock("orders").acquire();
        var lock = client.lock("orders").asLock();
        var interrupted = new AtomicReference<Boolean>();
        var thread = Thread.ofVirtual().start(() -> {
            lock.lock();
            interrupted.set(Thread.currentThread().isInterrupted());
            lock.unlock();
        });
        until(() -> service.table()
                        .resources()
                        .get(ResourceName.lock("orders"))
                        .orElseThrow()
                        .queue()
                        .size()
                == 1);
        thread.interrupt();
        held.close();
        thread.join();
        assertThat(interrupted.get()).isTrue();
    }
}
