package habemus.course.threads;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.course.threads.LockCycle.NamedLock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class LockOrderRunTest {

    @ParameterizedTest
    @EnumSource
    void opposite_order_deadlocks_and_the_cycle_names_threads_locks_and_lines(ThreadKind kind) {
        var deadlock = new LockOrderRun(kind).oppositeOrder();
        assertThat(deadlock.cycle().isDeadlock()).isTrue();
        assertThat(deadlock.cycle().toString())
                .isIn(
                        "transfer-ab → lock b → transfer-ba → lock a → transfer-ab",
                        "transfer-ba → lock a → transfer-ab → lock b → transfer-ba");
        assertThat(deadlock.cycle().waits()).allMatch(wait -> wait.line().matches("LockOrderRun\\.java:\\d+"));
        assertThat(deadlock.hasEnded()).isTrue();
    }

    @Test
    void the_jvm_finds_a_deadlock_of_platform_threads() {
        assertThat(new LockOrderRun(ThreadKind.PLATFORM).oppositeOrder().seenByJvm())
                .containsExactly("transfer-ab waits for transfer-ba", "transfer-ba waits for transfer-ab");
    }

    @ParameterizedTest
    @EnumSource
    void the_same_order_lets_all_transfers_end(ThreadKind kind) {
        assertThat(new LockOrderRun(kind).sameOrder(500)).isEqualTo(1_000);
    }

    @Test
    void a_lock_without_waiters_is_in_no_cycle() {
        var lock = new NamedLock("a");
        lock.lock();
        try {
            var cycle = LockCycle.find(List.of(lock), LockOrderRun.class);
            assertThat(cycle.isDeadlock()).isFalse();
            assertThat(cycle).hasToString("no cycle");
        } finally {
            lock.unlock();
        }
    }
}
