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

/** How large a small world with gossip is: with every fall of the dice. */
class PinnedGossipTest {

    private static final GossipLargeGroup GOSSIP = new GossipLargeGroup(3, 1, 1, Duration.ofMillis(20), 0);

    @Test
    void somebody_leads_in_the_end_but_two_may_do_so_at_a_time() {
        assertPinned(2, 54, 100);
    }

    @Test
    void three_relays_of_which_one_asks() {
        assertPinned(3, 7_025, 27_092);
    }

    private static void assertPinned(int size, long states, long transitions) {
        var scope = Scope.of(Topology.complete(size)).withRequests(nodes(1), 1);
        var checkReport =
                ModelChecker.check(GOSSIP, scope, Property.TERMINATION, Property.AGREEMENT, Property.UNIQUENESS);
        assertThat(checkReport.isComplete()).isTrue();
        assertThat(List.of(
                        checkReport.verdict(Property.TERMINATION),
                        checkReport.verdict(Property.AGREEMENT),
                        checkReport.verdict(Property.UNIQUENESS)))
                .containsExactly(Verdict.HOLDS, Verdict.HOLDS, Verdict.VIOLATED);
        assertThat(List.of(checkReport.states(), checkReport.transitions())).containsExactly(states, transitions);
    }
}
