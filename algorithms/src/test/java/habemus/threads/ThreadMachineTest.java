package habemus.threads;

import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.Effect;
import habemus.protocol.Milestone;
import habemus.protocol.ProtocolBug;
import habemus.threads.Access.Done;
import habemus.threads.Access.Read;
import habemus.threads.Access.Value;
import habemus.threads.Access.Write;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ThreadMachineTest {

    private static final SharedCounter RACE = new SharedCounter(SharedCounter.Variant.RACE, 2, 1);

    private static Effect<Access> to(int node, Access access) {
        return new Effect.Send<>(n(node), access);
    }

    @Test
    void the_threads_come_first_and_the_shared_objects_follow() {
        assertThat(RACE.nodes()).isEqualTo(3);
        assertThat(node(3, 3, RACE).state()).isEqualTo(Memory.counter("counter"));
    }

    @Test
    void a_thread_begins_with_its_first_access() {
        assertThat(node(1, 3, RACE).effects()).containsExactly(to(3, new Read()));
    }

    @Test
    void a_thread_continues_with_the_value_that_it_read() {
        assertThat(node(1, 3, RACE).receives(new Value(4), n(3)).effects()).containsExactly(to(3, new Write(5)));
    }

    @Test
    void a_thread_ends_after_its_last_round() {
        var ended = node(1, 3, RACE).receives(new Value(4), n(3)).receives(new Done(), n(3));
        assertThat(ended.effects()).containsExactly(new Effect.Report<>(new Milestone.Updated(n(3), 1)));
        assertThat(((ThreadState) ended.state()).phase()).isEqualTo(new ThreadState.Phase.Ended());
    }

    @Test
    void a_thread_repeats_its_work_in_every_round() {
        var twoRounds = new SharedCounter(SharedCounter.Variant.RACE, 2, 2);
        var again = node(1, 3, twoRounds).receives(new Value(4), n(3)).receives(new Done(), n(3));
        assertThat(again.effects()).contains(to(3, new Read()));
    }

    @Test
    void a_thread_executes_its_own_statements_at_once() {
        var local = new SharedCounter(SharedCounter.Variant.THREAD_LOCAL, 2, 5);
        assertThat(node(1, 3, local).effects()).containsExactly(to(3, new Access.AddAndGet(5)));
    }

    @Test
    void a_failed_compare_and_set_begins_with_the_read() {
        var swap = new SharedCounter(SharedCounter.Variant.COMPARE_AND_SET, 2, 1);
        var failed = node(1, 3, swap).receives(new Value(4), n(3)).receives(new Value(0), n(3));
        assertThat(failed.effects()).containsExactly(to(3, new Read()));
    }

    @Test
    void a_notified_thread_locks_the_monitor_again() {
        var program = new LostWakeup(LostWakeup.Variant.NO_CHECK, 2);
        var waiting = node(2, 4, program).receives(new Done(), n(4));
        assertThat(waiting.effects()).containsExactly(to(4, new Access.Wait()));
        assertThat(waiting.receives(new Access.Notified(), n(4)).effects()).containsExactly(to(4, new Access.Lock()));
    }

    @Test
    void a_thread_that_spins_on_a_plain_variable_does_not_read_it_again() {
        var spinning = node(2, 3, new BusyWaiting(BusyWaiting.Variant.PLAIN, 2)).receives(new Value(0), n(3));
        assertThat(spinning.effects()).isEmpty();
        assertThat(((ThreadState) spinning.state()).phase()).isEqualTo(new ThreadState.Phase.Spinning());
    }

    @Test
    void a_thread_that_backs_off_pauses_for_a_random_time() {
        var program = new LockOrder(TwoLocks.Cure.BACK_OFF, 2, 1);
        var pausing = node(1, 6, program)
                .receives(new Done(), n(5))
                .receives(new Value(0), n(6))
                .receives(new Done(), n(5));
        assertThat(pausing.effects()).containsExactly(new Effect.Draw<>(2));
        var pause = ThreadMachine.PAUSE_SLOT.multipliedBy(2);
        assertThat(pausing.draws(1).effects())
                .containsExactly(new Effect.SetTimer<>(ThreadMachine.Timer.WAKE, pause, pause));
        assertThat(pausing.draws(1).timesOut(ThreadMachine.Timer.WAKE).effects())
                .containsExactly(to(5, new Access.Lock()));
    }

    @Test
    void a_failed_assertion_is_a_bug() {
        var barrier = new CyclicBarrier(CyclicBarrier.Variant.NO_RESET, 2, 1);
        var last = node(1, 5, barrier)
                .receives(new Value(1), n(3))
                .receives(new Done(), n(5))
                .receives(new Value(2), n(4))
                .receives(new Done(), n(5))
                .receives(new Done(), n(5));
        assertThatThrownBy(() -> last.receives(new Value(1), n(3)))
                .isInstanceOf(ProtocolBug.class)
                .hasMessageContaining("x >= 2 * (round + 1)");
    }

    @Test
    void an_answer_that_the_thread_does_not_wait_for_is_a_bug() {
        var spinning = node(2, 3, new BusyWaiting(BusyWaiting.Variant.PLAIN, 2)).receives(new Value(0), n(3));
        assertThatThrownBy(() -> spinning.receives(new Value(1), n(3))).isInstanceOf(ProtocolBug.class);
    }

    @Test
    void the_listing_reads_like_the_program() {
        assertThat(new SharedCounter(SharedCounter.Variant.COMPARE_AND_SET, 2, 3).listing(1))
                .containsExactly(
                        "repeat 3 times",
                        "    do",
                        "        x = counter",
                        "        x = counter.compareAndSet(x, x + 1)",
                        "    while (x == 0)");
    }

    @ParameterizedTest
    @EnumSource(Relay.Variant.class)
    void the_message_of_the_relay_has_80_characters(Relay.Variant variant) {
        assertThat(new Relay(variant, 30, 80).objects().getFirst()).isEqualTo(Memory.letters("message", Relay.TEXT));
        assertThat(Relay.TEXT).hasSize(80);
    }
}
