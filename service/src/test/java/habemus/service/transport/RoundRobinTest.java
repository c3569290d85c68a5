package habemus.service.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order in which connections are served. */
class RoundRobinTest {

    private final RoundRobin<String> waiting = new RoundRobin<>();

    private List<String> serveAll() {
        var served = new ArrayList<String>();
        while (!waiting.isEmpty()) {
            served.add(waiting.next());
        }
        return served;
    }

    @Test
    void the_connections_of_a_principal_are_served_in_turn() {
        List.of("a1", "a2", "a3").forEach(connection -> waiting.add("a", connection));
        assertThat(serveAll()).containsExactly("a1", "a2", "a3");
    }

    @Test
    void a_principal_with_many_connections_gets_no_more_than_one_with_few() {
        List.of("a1", "a2", "a3").forEach(connection -> waiting.add("a", connection));
        waiting.add("b", "b1");
        assertThat(serveAll()).containsExactly("a1", "b1", "a2", "a3");
    }

    @Test
    void a_connection_that_waits_again_is_behind_all_others() {
        waiting.add("a", "a1");
        waiting.add("b", "b1");
        waiting.add("a", waiting.next());
        assertThat(serveAll()).containsExactly("b1", "a1");
    }

    @Test
    void an_honest_connection_is_served_at_once_however_many_frames_others_have_sent() {
        for (int i = 0; i < 1_000; i++) {
            waiting.add("flood", "flood" + i);
        }
        waiting.next();
        waiting.add("honest", "honest");
        var next = List.of(waiting.next(), waiting.next());
        assertThat(next).contains("honest");
    }
}
