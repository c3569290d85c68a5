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

class CausalityTest {

    private static final NodeId N1 = new NodeId(1);
    private static final NodeId N2 = new NodeId(2);
    private static final NodeId N3 = new NodeId(3);

    private final Causality causality = new Causality(4);

    private void message(int from, int to) {
        causality.receive(to, causality.send(from));
    }

    @Test
    void requests_without_a_message_between_them_are_concurrent() {
        assertThat(causality.ask(N1)).isEqualTo(NodeSet.NONE);
        assertThat(causality.ask(N2)).isEqualTo(NodeSet.NONE);
    }

    @Test
    void a_request_happened_before_that_of_one_who_heard_from_it_afterwards() {
        causality.ask(N1);
        message(1, 2);
        assertThat(causality.ask(N2)).isEqualTo(NodeSet.of(N1));
    }

    @Test
    void what_was_said_before_the_request_does_not_count() {
        message(1, 2);
        var early = causality.send(1);
        causality.ask(N1);
        causality.receive(2, early);
        assertThat(causality.ask(N2)).isEqualTo(NodeSet.NONE);
    }

    @Test
    void a_message_in_flight_tells_what_was_known_when_it_left() {
        var inFlight = causality.send(1);
        causality.ask(N1);
        var later = causality.send(1);
        causality.receive(3, inFlight);
        causality.receive(2, later);
        assertThat(causality.ask(N3)).isEqualTo(NodeSet.NONE);
        assertThat(causality.ask(N2)).isEqualTo(NodeSet.of(N1));
    }

    @Test
    void a_message_says_nothing_until_it_arrives() {
        causality.ask(N1);
        var inFlight = causality.send(1);
        assertThat(causality.ask(N2)).isEqualTo(NodeSet.NONE);
        causality.receive(3, inFlight);
        assertThat(causality.ask(N3)).isEqualTo(NodeSet.of(N1));
    }

    @Test
    void news_travels_through_others() {
        causality.ask(N1);
        message(1, 4);
        message(4, 3);
        assertThat(causality.ask(N3)).isEqualTo(NodeSet.of(N1));
    }

    @Test
    void a_request_may_have_several_before_it() {
        causality.ask(N1);
        message(1, 2);
        causality.ask(N2);
        message(2, 3);
        assertThat(causality.ask(N3)).isEqualTo(NodeSet.of(N1, N2));
    }

    @Test
    void who_does_not_wait_any_more_is_before_nobody() {
        causality.ask(N1);
        message(1, 2);
        causality.stopWaiting(N1);
        assertThat(causality.ask(N2)).isEqualTo(NodeSet.NONE);
    }

    @Test
    void hearing_of_an_earlier_request_is_not_hearing_of_the_present_one() {
        causality.ask(N1);
        message(1, 2);
        causality.stopWaiting(N1);
        causality.ask(N1);
        assertThat(causality.ask(N2)).isEqualTo(NodeSet.NONE);
        message(1, 3);
        assertThat(causality.ask(N3)).isEqualTo(NodeSet.of(N1));
    }

    @Test
    void a_message_that_arrives_twice_or_late_takes_nothing_back() {
        var old = causality.send(1);
        causality.ask(N1);
        message(1, 2);
        causality.receive(2, old);
        causality.receive(2, old);
        assertThat(causality.ask(N2)).isEqualTo(NodeSet.of(N1));
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
            var world = new Causality(4);
            var known = new HashMap<NodeId, Set<Request>>(); // the requests that happened before now, at each node
            var waiting = new HashSet<Request>();
            var flying = new ArrayList<Flying>();
            for (int i = 0; i < 200; i++) {
                var node = new NodeId(1 + chance.nextInt(4));
                var past = known.computeIfAbsent(node, key -> new HashSet<>());
                var own = waiting.stream().filter(r -> r.node.equals(node)).findAny();
                if (chance.nextInt(4) > 0) {
                    flying.add(new Flying(world.send(node.number()), Set.copyOf(past)));
                } else if (chance.nextBoolean() && !flying.isEmpty()) {
                    var letter = flying.remove(chance.nextInt(flying.size()));
                    world.receive(node.number(), letter.clock);
                    past.addAll(letter.known);
                } else if (own.isPresent()) {
                    world.stopWaiting(node);
                    waiting.remove(own.get());
                } else {
                    var before = past.stream().filter(waiting::contains).map(Request::node);
                    var behind = world.ask(node);
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
