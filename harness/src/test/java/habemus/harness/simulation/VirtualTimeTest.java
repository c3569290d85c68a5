package habemus.harness.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The order of events in virtual time. */
class VirtualTimeTest {

    private final VirtualTime time = new VirtualTime(new RunTrace(false));
    private final List<String> happened = new ArrayList<>();

    private Runnable event(String name) {
        return () -> happened.add(name);
    }

    @Test
    void events_happen_in_the_order_of_their_times() {
        var random = new SplittableRandom(7);
        var seen = new ArrayList<Long>();
        for (int i = 0; i < 5_000; i++) {
            time.at(random.nextLong(1_000), () -> seen.add(time.now()));
        }
        time.runUntil(1_000);
        assertThat(seen).hasSize(5_000).isSorted();
    }

    @Test
    void events_of_the_same_time_happen_in_the_order_of_their_planning() {
        time.at(5, () -> {
            happened.add("first");
            time.after(0, event("fourth"));
            time.at(3, event("fifth"));
        });
        time.at(5, event("second"));
        time.at(5, event("third"));
        time.at(6, event("last"));
        time.runUntil(10);
        assertThat(happened).containsExactly("first", "second", "third", "fourth", "fifth", "last");
    }

    @Test
    void an_event_that_is_cancelled_does_not_happen() {
        time.at(5, event("cancelled")).cancel();
        time.at(6, event("other"));
        time.runUntil(10);
        assertThat(happened).containsExactly("other");
    }

    @Test
    void events_after_the_end_wait() {
        time.at(11, event("later"));
        time.runUntil(10);
        assertThat(happened).isEmpty();
        time.runUntil(11);
        assertThat(happened).containsExactly("later");
    }
}
