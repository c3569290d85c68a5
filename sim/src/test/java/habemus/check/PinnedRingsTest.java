package habemus.check;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.check.model.Scope;
import habemus.election.AnonymousRing;
import habemus.election.Franklin;
import habemus.election.HirschbergSinclair;
import habemus.election.ItaiRodeh;
import habemus.election.Peterson;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.protocol.Ranking;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pins the state counts of the elections on rings, with one larger scope of each. */
class PinnedRingsTest {

    private static final Scope TWO = Scope.of(Topology.ring(2));
    private static final Scope THREE = Scope.of(Topology.ring(3));

    private static final Property[] ALL = {
        Property.TERMINATION,
        Property.UNIQUENESS,
        Property.ONE_LEADER_PER_TERM,
        Property.AGREEMENT,
        Property.BEST_WINS,
        Property.STABILITY
    };

    /** The properties of anonymous nodes, without termination, which needs luck. */
    private static final Property[] ANONYMOUS = {Property.UNIQUENESS, Property.ONE_LEADER_PER_TERM, Property.STABILITY};

    private static Scope ring(List<Integer> order, int... callers) {
        var nodes = NodeSet.of(Arrays.stream(callers).mapToObj(NodeId::new).toList());
        return Scope.of(Topology.ring(order.stream().map(NodeId::new).toList())).withRequests(nodes, 1);
    }

    @Test
    void franklin() {
        var franklin = new Franklin(Ranking.BY_NUMBER, false);
        assertSize(franklin, THREE, 3_877, 12_934, ALL);
        assertSize(franklin, TWO.withUnorderedLinks(), 1_078, 3_261, ALL);
        assertSize(franklin, TWO.withRequestsPerNode(2), 414, 921, ALL);
        assertSize(franklin, ring(List.of(3, 1, 4, 2, 5), 1), 1_153, 3_917, ALL);
    }

    @Test
    void hirschberg_and_sinclair() {
        var sinclair = new HirschbergSinclair(Ranking.BY_NUMBER);
        assertSize(sinclair, THREE, 4_589, 14_109, ALL);
        assertSize(sinclair, TWO.withUnorderedLinks(), 2_233, 7_998, ALL);
        assertSize(sinclair, TWO.withRequestsPerNode(2), 464, 1_025, ALL);
        assertSize(sinclair, ring(List.of(3, 1, 4, 2), 1), 599, 1_548, ALL);
    }

    @Test
    void peterson() {
        var peterson = new Peterson(Ranking.BY_NUMBER);
        assertSize(peterson, THREE.withRequestsPerNode(2), 2_751, 8_271, ALL);
        assertSize(peterson, ring(List.of(3, 1, 4, 2, 6, 5), 1, 4, 6), 3_283, 11_331, ALL);
    }

    @Test
    void anonymous_ring() {
        assertSize(new AnonymousRing(), THREE.withRequestsPerNode(2), 7_993, 23_103, Property.TERMINATION);
        assertSize(new AnonymousRing(), THREE.withUnorderedLinks(), 1_006, 2_103, Property.TERMINATION);
        var one = Scope.of(Topology.ring(7)).withRequests(NodeSet.of(new NodeId(4)), 1);
        assertSize(new AnonymousRing(), one, 16, 15, Property.TERMINATION, Property.UNIQUENESS);
    }

    @Test
    void itai_and_rodeh() {
        assertSize(new ItaiRodeh(3, 2), THREE, 973, 1_998, ANONYMOUS);
        assertSize(new ItaiRodeh(2, 2), TWO.withRequestsPerNode(2), 673, 1_408, ANONYMOUS);
        assertSize(new ItaiRodeh(4, 2), Scope.of(Topology.ring(4)), 13_659, 34_020, ANONYMOUS);
    }

    /** A node takes an overtaken number of an old round for a new one. Four candidates are needed to see it. */
    @Test
    void itai_and_rodeh_need_order_unless_rounds_are_numbered() {
        var three = ModelChecker.check(new ItaiRodeh(3, 2), THREE.withUnorderedLinks(), Property.UNIQUENESS);
        assertThat(three.verdict(Property.UNIQUENESS)).isEqualTo(Verdict.HOLDS);
        var bag = Scope.of(Topology.ring(4)).withUnorderedLinks();
        var four = ModelChecker.check(new ItaiRodeh(4, 2), bag, Property.UNIQUENESS);
        assertThat(four.verdict(Property.UNIQUENESS)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void peterson_needs_order_even_for_one_candidate() {
        var bag = THREE.withUnorderedLinks().withRequests(NodeSet.of(new NodeId(1)), 1);
        var report = ModelChecker.check(new Peterson(Ranking.BY_NUMBER), bag, Property.TERMINATION);
        assertThat(report.verdict(Property.TERMINATION)).isEqualTo(Verdict.VIOLATED);
    }

    private static void assertSize(
            Protocol<?, ?> protocol, Scope scope, long states, long transitions, Property... properties) {
        var report = ModelChecker.check(protocol, scope, properties);
        StateCounts.assertSize(report, states, transitions);
        assertThat(report.hasViolation()).isFalse();
    }
}
