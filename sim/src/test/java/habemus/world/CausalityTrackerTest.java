package habemus.world;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CausalityTrackerTest {

    private static final NodeId N1 = new NodeId(1);
    private static final NodeId N2 = new NodeId(2);
    private static final NodeId N3 = new NodeId(3);

    private final CausalityTracker causalityTracker = new CausalityTracker(4);

    private void message(int from, int to) {
        causalityTracker.onReceive(to, causalityTracker.onSend(from));
    }

    @Test
    void requests_without_a_message_between_them_are_concurrent() {
        assertThat(causalityTracker.onRequest(N1)).isEqualTo(NodeSet.NONE);
        assertThat(causalityTracker.onRequest(N2)).isEqualTo(NodeSet.NONE);
    }

    @Test
    void a_request_happened_before_one_by_a_receiver_of_a_later_message() {
        causalityTracker.onRequest(N1);
        message(1, 2);
        assertThat(causalityTracker.onRequest(N2)).isEqualTo(NodeSet.of(N1));
    }

    @Test
    void messages_sent_before_a_request_create_no_order() {
        message(1, 2);
        var early = causalityTracker.onSend(1);
        causalityTracker.onRequest(N1);
        causalityTracker.onReceive(2, early);
        assertThat(causalityTracker.onRequest(N2)).isEqualTo(NodeSet.NONE);
    }

    @Test
    void a_message_carries_the_clock_of_its_send_time() {
        var inFlight = causalityTracker.onSend(1);
        causalityTracker.onRequest(N1);
        var later = causalityTracker.onSend(1);
        causalityTracker.onReceive(3, inFlight);
        causalityTracker.onReceive(2, later);
        assertThat(causalityTracker.onRequest(N3)).isEqualTo(NodeSet.NONE);
        assertThat(causalityTracker.onRequest(N2)).isEqualTo(NodeSet.of(N1));
    }

    @Test
    void a_message_in_flight_creates_no_order() {
        causalityTracker.onRequest(N1);
        var inFlight = causalityTracker.onSend(1);
        assertThat(causalityTracker.onRequest(N2)).isEqualTo(NodeSet.NONE);
        causalityTracker.onReceive(3, inFlight);
        assertThat(causalityTracker.onRequest(N3)).isEqualTo(NodeSet.of(N1));
    }

    @Test
    void happened_before_is_transitive() {
        causalityTracker.onRequest(N1);
        message(1, 4);
        message(4, 3);
        assertThat(causalityTracker.onRequest(N3)).isEqualTo(NodeSet.of(N1));
    }

    @Test
    void a_request_may_have_several_predecessors() {
        causalityTracker.onRequest(N1);
        message(1, 2);
        causalityTracker.onRequest(N2);
        message(2, 3);
        assertThat(causalityTracker.onRequest(N3)).isEqualTo(NodeSet.of(N1, N2));
    }

    @Test
    void a_node_that_stopped_waiting_precedes_no_request() {
        causalityTracker.onRequest(N1);
        message(1, 2);
        causalityTracker.stopWaiting(N1);
        assertThat(causalityTracker.onRequest(N2)).isEqualTo(NodeSet.NONE);
    }

    @Test
    void an_earlier_request_of_a_node_does_not_count_for_its_current_one() {
        causalityTracker.onRequest(N1);
        message(1, 2);
        causalityTracker.stopWaiting(N1);
        causalityTracker.onRequest(N1);
        assertThat(causalityTracker.onRequest(N2)).isEqualTo(NodeSet.NONE);
        message(1, 3);
        assertThat(causalityTracker.onRequest(N3)).isEqualTo(NodeSet.of(N1));
    }

    @Test
    void duplicate_and_late_messages_do_not_set_clocks_back() {
        var old = causalityTracker.onSend(1);
        causalityTracker.onRequest(N1);
        message(1, 2);
        causalityTracker.onReceive(2, old);
        causalityTracker.onReceive(2, old);
        assertThat(causalityTracker.onRequest(N2)).isEqualTo(NodeSet.of(N1));
    }

    private record Request(NodeId node, int count) {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record InFlight(int[] clock, Set<Request> known) {}

    /** Compares with the definition: the requests reachable backwards along node histories and messages. */
    @Test
    void the_result_agrees_with_the_definition_of_lamport() {
        int predecessors = 0;
        for (int seed = 0; seed < 100; seed++) {
            var random = new Random(seed);
            var world = new CausalityTracker(4);
            var known = new HashMap<NodeId, Set<Request>>(); // the requests that happened before now, at each node
            var waiting = new HashSet<Request>();
            var inFlight = new ArrayList<InFlight>();
            for (int i = 0; i < 200; i++) {
                var node = new NodeId(1 + random.nextInt(4));
                var past = known.computeIfAbsent(node, key -> new HashSet<>());
                var own = waiting.stream().filter(r -> r.node.equals(node)).findAny();
                if (random.nextInt(4) > 0) {
                    inFlight.add(new InFlight(world.onSend(node.number()), Set.copyOf(past)));
                } else if (random.nextBoolean() && !inFlight.isEmpty()) {
                    var delivered = inFlight.remove(random.nextInt(inFlight.size()));
                    world.onReceive(node.number(), delivered.clock);
                    past.addAll(delivered.known);
                } else if (own.isPresent()) {
                    world.stopWaiting(node);
                    waiting.remove(own.get());
                } else {
                    var before = past.stream().filter(waiting::contains).map(Request::node);
                    var behind = world.onRequest(node);
                    assertThat(behind).isEqualTo(NodeSet.of(before.toList()));
                    waiting.add(new Request(node, i));
                    past.add(new Request(node, i));
                    predecessors += behind.size();
                }
            }
        }
        assertThat(predecessors).isGreaterThan(100);
    }
}
