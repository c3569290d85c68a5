package habemus.check;

import static habemus.ProtocolFixture.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.check.model.Scope;
import habemus.election.GossipLargeGroup;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pins the state counts of gossip, with every outcome of the random draws. */
class PinnedGossipTest {

    private static final GossipLargeGroup GOSSIP = new GossipLargeGroup(3, 1, 1, Duration.ofMillis(20), 0);

    @Test
    void gossip_eventually_has_a_leader_but_may_have_two_at_a_time() {
        assertPinned(2, 54, 100);
    }

    @Test
    void gossip_on_three_nodes_with_one_candidate() {
        assertPinned(3, 7_025, 27_092);
    }

    private static void assertPinned(int size, long states, long transitions) {
        var scope = Scope.of(Topology.complete(size)).withRequests(nodes(1), 1);
        var report = ModelChecker.check(GOSSIP, scope, Property.TERMINATION, Property.AGREEMENT, Property.UNIQUENESS);
        assertThat(List.of(
                        report.verdict(Property.TERMINATION),
                        report.verdict(Property.AGREEMENT),
                        report.verdict(Property.UNIQUENESS)))
                .containsExactly(Verdict.HOLDS, Verdict.HOLDS, Verdict.VIOLATED);
        StateCounts.assertSize(report, states, transitions);
    }
}
