package habemus.harness.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The event loop of a simulated process. */
class VirtualLoopTest {

    private static final long SECOND = 1_000_000_000L;

    private final List<String> done = new ArrayList<>();
    private final VirtualTime time = new VirtualTime(new RunTrace(false));
    private final VirtualLoop loop = new VirtualLoop(time, 1, 0);

    private Runnable note(String text) {
        return () -> done.add(text + "@" + time.now() / 1_000_000);
    }

    @Test
    void tasks_run_in_their_order() {
        loop.execute(note("first"));
        loop.execute(note("second"));
        time.runUntil(SECOND);
        assertThat(done).containsExactly("first@0", "second@0");
    }

    @Test
    void a_task_that_waits_for_the_disk_delays_the_next_one() {
        loop.execute(() -> loop.block(5_000_000));
        loop.execute(note("next"));
        time.runUntil(SECOND);
        assertThat(done).containsExactly("next@5");
    }

    @Test
    void a_timer_follows_the_clock_of_the_process() {
        var slow = new VirtualLoop(time, 0.5, 0);
        slow.schedule(Duration.ofMillis(10), note("timer"));
        time.runUntil(SECOND);
        assertThat(done).containsExactly("timer@20");
        assertThat(slow.nanoTime()).isEqualTo(SECOND / 2);
    }

    @Test
    void a_cancelled_timer_does_not_fire() {
        loop.schedule(Duration.ofMillis(10), note("timer")).cancel();
        time.runUntil(SECOND);
        assertThat(done).isEmpty();
    }

    @Test
    void after_a_pause_either_timers_or_tasks_come_first() {
        for (boolean timersFirst : new boolean[] {true, false}) {
            done.clear();
            loop.pause();
            loop.schedule(Duration.ofMillis(10), () -> done.add("timer"));
            loop.execute(() -> done.add("task"));
            time.runUntil(time.now() + SECOND);
            assertThat(done).isEmpty();
            loop.resume(timersFirst);
            assertThat(loop.isBehind()).isTrue();
            time.runUntil(time.now() + SECOND);
            assertThat(done).first().isEqualTo(timersFirst ? "timer" : "task");
            assertThat(loop.isBehind()).isFalse();
        }
    }

    @Test
    void nothing_runs_after_the_end_of_the_process() {
        loop.schedule(Duration.ofMillis(10), note("timer"));
        loop.execute(note("task"));
        loop.end();
        loop.execute(note("late"));
        time.runUntil(SECOND);
        assertThat(done).isEmpty();
    }
}
