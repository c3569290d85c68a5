package habemus.threads;

import static habemus.ProtocolFixture.n;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.Effect;
import habemus.protocol.Milestone;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.threads.Access.Done;
import habemus.threads.Access.Lock;
import habemus.threads.Access.LockAll;
import habemus.threads.Access.Notified;
import habemus.threads.Access.NotifyAll;
import habemus.threads.Access.TryLock;
import habemus.threads.Access.Unlock;
import habemus.threads.Access.Value;
import habemus.threads.Access.Wait;
import java.util.List;
import org.junit.jupiter.api.Test;

class LocksTest {

    private final Step<ProgramState, Access> monitor = Locks.monitor("monitor").step();

    private static Step<ProgramState, Access> access(Step<ProgramState, Access> step, int thread, Access access) {
        return ((SharedObject) step.state()).access(n(thread), access);
    }

    private static Effect<Access> to(int thread, Access answer) {
        return new Effect.Send<>(n(thread), answer);
    }

    @Test
    void a_free_monitor_is_locked_at_once() {
        assertThat(access(monitor, 1, new Lock()).effects()).containsExactly(to(1, new Done()));
    }

    @Test
    void a_thread_that_finds_the_monitor_locked_waits_until_it_is_unlocked() {
        var queued = access(access(monitor, 1, new Lock()), 2, new Lock());
        assertThat(queued.effects()).isEmpty();
        assertThat(access(queued, 1, new Unlock()).effects()).containsExactly(to(2, new Done()), to(1, new Done()));
    }

    @Test
    void try_lock_says_whether_the_monitor_was_free() {
        var locked = access(monitor, 1, new TryLock());
        assertThat(locked.effects()).containsExactly(to(1, new Value(1)));
        assertThat(access(locked, 2, new TryLock()).effects()).containsExactly(to(2, new Value(0)));
    }

    @Test
    void only_the_owner_unlocks_waits_and_notifies() {
        var locked = access(monitor, 1, new Lock());
        for (Access access : List.of(new Unlock(), new Wait(), new Access.Notify(), new NotifyAll())) {
            assertThatThrownBy(() -> access(locked, 2, access)).isInstanceOf(ProtocolBug.class);
        }
    }

    @Test
    void a_thread_that_waits_releases_the_monitor() {
        var queued = access(access(monitor, 1, new Lock()), 2, new Lock());
        assertThat(access(queued, 1, new Wait()).effects())
                .containsExactly(to(2, new Done()), new Effect.Report<>(new Milestone.Parked(n(1))));
    }

    @Test
    void a_notification_without_a_waiting_thread_is_lost() {
        var locked = access(monitor, 1, new Lock());
        assertThat(access(locked, 1, new Access.Notify()))
                .isEqualTo(new Step<>(locked.state(), List.of(to(1, new Done()))));
    }

    @Test
    void a_notified_thread_has_to_lock_the_monitor_again() {
        var waiting = access(access(monitor, 1, new Lock()), 1, new Wait());
        var notified = access(access(waiting, 2, new Lock()), 2, new Access.Notify());
        assertThat(notified.effects())
                .containsExactly(
                        new Effect.Report<>(new Milestone.Unparked(n(1))), to(1, new Notified()), to(2, new Done()));
        assertThat(access(notified, 1, new Lock()).effects()).isEmpty();
    }

    @Test
    void notify_wakes_any_one_of_several_threads() {
        var two = twoWaiting();
        var drawing = access(two, 3, new Access.Notify());
        assertThat(drawing.effects()).containsExactly(new Effect.Draw<>(2));
        assertThat(((SharedObject) drawing.state()).drawn(1).effects())
                .contains(to(2, new Notified()), to(3, new Done()))
                .doesNotContain(to(1, new Notified()));
    }

    @Test
    void notify_all_wakes_all_threads() {
        assertThat(access(twoWaiting(), 3, new NotifyAll()).effects())
                .contains(to(1, new Notified()), to(2, new Notified()), to(3, new Done()));
    }

    /** Threads 1 and 2 wait, and thread 3 owns the monitor. */
    private Step<ProgramState, Access> twoWaiting() {
        var one = access(access(monitor, 1, new Lock()), 1, new Wait());
        var two = access(access(one, 2, new Lock()), 2, new Wait());
        return access(two, 3, new Lock());
    }

    @Test
    void a_semaphore_has_as_many_permits_as_were_released() {
        var semaphore = Locks.semaphore("semaphore", 1).step();
        var taken = access(semaphore, 1, new Access.Acquire());
        assertThat(taken.effects()).containsExactly(to(1, new Done()));
        var queued = access(taken, 2, new Access.Acquire());
        assertThat(queued.effects()).isEmpty();
        var handed = access(queued, 3, new Access.Release());
        assertThat(handed.effects()).containsExactly(to(3, new Done()), to(2, new Done()));
        assertThat(access(handed, 1, new Access.Acquire()).effects()).isEmpty();
    }

    @Test
    void a_lock_table_locks_all_or_none() {
        var table = Locks.multiLock("locks").step();
        var first = access(table, 1, new LockAll(List.of(1, 2)));
        assertThat(first.effects()).containsExactly(to(1, new Done()));
        var second = access(first, 2, new LockAll(List.of(2, 3)));
        assertThat(second.effects()).isEmpty();
        assertThat(access(second, 1, new Access.UnlockAll()).effects())
                .containsExactly(to(2, new Done()), to(1, new Done()));
    }

    @Test
    void a_thread_does_not_overtake_an_earlier_one_that_needs_the_same_lock() {
        var table = Locks.multiLock("locks").step();
        var first = access(table, 1, new LockAll(List.of(1, 2)));
        var second = access(first, 2, new LockAll(List.of(2, 3)));
        var third = access(second, 3, new LockAll(List.of(3, 4)));
        assertThat(third.effects()).isEmpty();
        assertThat(access(third, 4, new LockAll(List.of(5, 6))).effects()).containsExactly(to(4, new Done()));
    }
}
