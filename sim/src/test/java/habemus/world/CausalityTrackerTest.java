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
    void a_request_happened_before_that_of_one_who_heard_from_it_afterwards() {
        causalityTracker.onRequest(N1);
        message(1, 2);
        assertThat(causalityTracker.onRequest(N2)).isEqualTo(NodeSet.of(N1));
    }

    @Test
    void what_was_said_before_the_request_does_not_count() {
        message(1, 2);
        var early = causalityTracker.onSend(1);
        causalityTracker.onRequest(N1);
        causalityTracker.onReceive(2, early);
        assertThat(causalityTracker.onRequest(N2)).isEqualTo(NodeSet.NONE);
    }

    @Test
    void a_message_in_flight_tells_what_was_known_when_it_left() {
        var inFlight = causalityTracker.onSend(1);
        causalityTracker.onRequest(N1);
        var later = causalityTracker.onSend(1);
        causalityTracker.onReceive(3, inFlight);
        causalityTracker.onReceive(2, later);
        assertThat(causalityTracker.onRequest(N3)).isEqualTo(NodeSet.NONE);
        assertThat(causalityTracker.onRequest(N2)).isEqualTo(NodeSet.of(N1));
    }

    @Test
    void a_message_says_nothing_until_it_arrives() {
        causalityTracker.onRequest(N1);
        var inFlight = causalityTracker.onSend(1);
        assertThat(causalityTracker.onRequest(N2)).isEqualTo(NodeSet.NONE);
        causalityTracker.onReceive(3, inFlight);
        assertThat(causalityTracker.onRequest(N3)).isEqualTo(NodeSet.of(N1));
    }

    @Test
    void news_travels_through_others() {
        causalityTracker.onRequest(N1);
        message(1, 4);
        message(4, 3);
        assertThat(causalityTracker.onRequest(N3)).isEqualTo(NodeSet.of(N1));
    }

    @Test
    void a_request_may_have_several_before_it() {
        causalityTracker.onRequest(N1);
        message(1, 2);
        causalityTracker.onRequest(N2);
        message(2, 3);
        assertThat(causalityTracker.onRequest(N3)).isEqualTo(NodeSet.of(N1, N2));
    }

    @Test
    void who_does_not_wait_any_more_is_before_nobody() {
        causalityTracker.onRequest(N1);
        message(1, 2);
        causalityTracker.stopWaiting(N1);
        assertThat(causalityTracker.onRequest(N2)).isEqualTo(NodeSet.NONE);
    }

    @Test
    void hearing_of_an_earlier_request_is_not_hearing_of_the_present_one() {
        causalityTracker.onRequest(N1);
        message(1, 2);
        causalityTracker.stopWaiting(N1);
        causalityTracker.onRequest(N1);
        assertThat(causalityTracker.onRequest(N2)).isEqualTo(NodeSet.NONE);
        message(1, 3);
        assertThat(causalityTracker.onRequest(N3)).isEqualTo(NodeSet.of(N1));
    }

    @Test
    void a_message_that_arrives_twice_or_late_takes_nothing_back() {
        var old = causalityTracker.onSend(1);
        causalityTracker.onRequest(N1);
        message(1, 2);
        causalityTracker.onReceive(2, old);
        causalityTracker.onReceive(2, old);
        assertThat(causalityTracker.onRequest(N2)).isEqualTo(NodeSet.of(N1));
    }

    private record Request(NodeId node, int count) {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Flying(int[] clock, Set<Request> known) {}

    /** Against the definition: the requests that can be reached backwards along nodes and messages. */
    @Test
    void is_what_lamport_defined() {
        int causes = 0;
        for (int seed = 0; seed < 100; seed++) {
            var chance = new Random(seed);
            var world = new CausalityTracker(4);
            var known = new HashMap<NodeId, Set<Request>>(); // the requests that happened before now, at each node
            var waiting = new HashSet<Request>();
            var flying = new ArrayList<Flying>();
            for (int i = 0; i < 200; i++) {
                var node = new NodeId(1 + chance.nextInt(4));
                var past = known.computeIfAbsent(node, key -> new HashSet<>());
                var own = waiting.stream().filter(r -> r.node.equals(node)).findAny();
                if (chance.nextInt(4) > 0) {
                    flying.add(new Flying(world.onSend(node.number()), Set.copyOf(past)));
                } else if (chance.nextBoolean() && !flying.isEmpty()) {
                    var letter = flying.remove(chance.nextInt(flying.size()));
                    world.onReceive(node.number(), letter.clock);
                    past.addAll(letter.known);
                } else if (own.isPresent()) {
                    world.stopWaiting(node);
                    waiting.remove(own.get());
                } else {
                    var before = past.stream().filter(waiting::contains).map(Request::node);
                    var behind = world.onRequest(node);
                    assertThat(behind).isEqualTo(NodeSet.of(before.toList()));
                    waiting.add(new Request(node, i));
                    past.add(new Request(node, i));
                    causes += behind.size();
                }
            }
        }
        assertThat(causes).isGreaterThan(100);
    }
}
