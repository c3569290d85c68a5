package habemus.election;

import static habemus.ProtocolFixture.elected;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.send;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.ProtocolFixture;
import habemus.election.HirschbergSinclair.Direction;
import habemus.election.HirschbergSinclair.Message;
import habemus.election.HirschbergSinclair.Message.Elected;
import habemus.election.HirschbergSinclair.Message.Probe;
import habemus.election.HirschbergSinclair.Message.Reply;
import habemus.election.HirschbergSinclair.Phase;
import habemus.election.HirschbergSinclair.Phase.Active;
import habemus.election.HirschbergSinclair.Phase.Passive;
import habemus.election.HirschbergSinclair.Phase.Resting;
import habemus.election.HirschbergSinclair.State;
import habemus.protocol.Neighbourhood;
import habemus.protocol.Ranking;
import habemus.protocol.Ranking.Rank;
import habemus.world.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules, at n5 in a ring: the previous node is n2, the next node is n7. */
class HirschbergSinclairTest {

    private static ProtocolFixture<State, Message> resting() {
        return node(new Neighbourhood(n(5), List.of(n(7), n(2))), new HirschbergSinclair(Ranking.BY_NUMBER));
    }

    private static ProtocolFixture<State, Message> active() {
        return resting().campaigns();
    }

    private static ProtocolFixture<State, Message> passive() {
        return active().receives(forward(9, 1), n(2));
    }

    private static Probe forward(int id, int hops) {
        return new Probe(n(id), 1, hops, Direction.FORWARD);
    }

    private static Probe backward(int id, int hops) {
        return new Probe(n(id), 1, hops, Direction.BACKWARD);
    }

    private static Reply reply(int id, Direction direction) {
        return new Reply(n(id), 1, direction);
    }

    private static State n5(long term, Phase phase) {
        return new State(n(5), n(7), n(2), term, phase);
    }

    @Test
    void a_candidate_first_probes_one_node_on_each_side() {
        assertThat(active().effects()).containsExactly(send(7, forward(5, 1)), send(2, backward(5, 1)));
        assertThat(active().state()).isEqualTo(n5(1, new Active(1, false)));
        assertThat(active().campaigns().effects()).isEmpty();
    }

    @Test
    void two_replies_double_the_reach() {
        var oneReply = active().receives(reply(5, Direction.BACKWARD), n(7));
        assertThat(oneReply.effects()).isEmpty();
        assertThat(oneReply.state()).isEqualTo(n5(1, new Active(1, true)));
        var n5 = oneReply.receives(reply(5, Direction.FORWARD), n(2));
        assertThat(n5.effects()).containsExactly(send(7, forward(5, 2)), send(2, backward(5, 2)));
        assertThat(n5.state()).isEqualTo(n5(1, new Active(2, false)));
    }

    @Test
    void a_node_replies_to_the_last_hop_of_a_better_probe_and_becomes_passive() {
        assertThat(passive().effects()).containsExactly(send(2, reply(9, Direction.BACKWARD)));
        assertThat(passive().state()).isEqualTo(n5(1, new Passive()));
        assertThat(active().receives(backward(9, 1), n(7)).effects())
                .containsExactly(send(7, reply(9, Direction.FORWARD)));
    }

    @Test
    void a_node_forwards_a_better_probe_with_hops_left() {
        var n5 = resting().receives(forward(9, 3), n(2));
        assertThat(n5.effects()).containsExactly(send(7, forward(9, 2)));
        assertThat(n5.state()).isEqualTo(n5(1, new Passive()));
        assertThat(active().receives(backward(9, 2), n(7)).effects()).containsExactly(send(2, backward(9, 1)));
    }

    @Test
    void a_node_does_not_reply_to_a_worse_probe() {
        assertThat(active().receives(forward(2, 1), n(2)).effects()).isEmpty();
        assertThat(passive().receives(forward(2, 1), n(2)).effects()).isEmpty();
    }

    @Test
    void a_resting_node_that_gets_a_worse_probe_becomes_a_candidate() {
        var n5 = resting().receives(forward(2, 1), n(2));
        assertThat(n5.effects()).containsExactly(send(7, forward(5, 1)), send(2, backward(5, 1)));
        assertThat(n5.state()).isEqualTo(n5(1, new Active(1, false)));
    }

    @Test
    void a_node_forwards_replies_to_other_nodes() {
        assertThat(passive().receives(reply(9, Direction.BACKWARD), n(7)).effects())
                .containsExactly(send(2, reply(9, Direction.BACKWARD)));
        assertThat(passive().receives(reply(9, Direction.FORWARD), n(2)).effects())
                .containsExactly(send(7, reply(9, Direction.FORWARD)));
    }

    @Test
    void a_passive_node_ignores_replies_to_its_own_probes() {
        assertThat(passive().receives(reply(5, Direction.BACKWARD), n(7)).effects())
                .isEmpty();
        assertThat(passive().receives(reply(5, Direction.BACKWARD), n(7)).state())
                .isEqualTo(passive().state());
    }

    @Test
    void a_node_leads_when_its_own_probe_returns() {
        var n5 = active().receives(forward(5, 1), n(2));
        assertThat(n5.effects()).containsExactly(elected(5, 1), send(7, new Elected(n(5), 1)));
        assertThat(n5.state()).isEqualTo(n5(1, new Resting()));
        assertThat(n5.receives(backward(5, 1), n(7)).effects()).isEmpty();
        assertThat(n5.receives(new Elected(n(5), 1), n(2)).effects()).isEmpty();
    }

    @Test
    void a_node_reports_the_leader_forwards_the_announcement_and_rests() {
        var n5 = passive().receives(new Elected(n(9), 1), n(2));
        assertThat(n5.effects()).containsExactly(elected(9, 1), send(7, new Elected(n(9), 1)));
        assertThat(n5.state()).isEqualTo(n5(1, new Resting()));
    }

    @Test
    void a_passive_node_takes_part_in_the_next_election_before_the_result_of_this_one() {
        var n5 = passive().receives(new Probe(n(2), 2, 1, Direction.FORWARD), n(2));
        assertThat(n5.state()).isEqualTo(n5(2, new Active(1, false)));
        assertThat(n5.receives(new Elected(n(9), 1), n(2)).effects()).isEmpty();
        assertThat(n5.receives(reply(9, Direction.BACKWARD), n(7)).effects()).isEmpty();
    }

    @Test
    void compares_ranks_before_ids() {
        var ranking = new Ranking(List.of(new Rank(n(2), 1)));
        var n5 = node(new Neighbourhood(n(5), List.of(n(7), n(2))), new HirschbergSinclair(ranking))
                .receives(forward(2, 1), n(2));
        assertThat(n5.effects()).containsExactly(send(2, reply(2, Direction.BACKWARD)));
    }

    @Test
    void a_ring_of_one_node_elects_it() {
        var n1 = node(Topology.ring(1).neighbourhood(n(1)), new HirschbergSinclair(Ranking.BY_NUMBER))
                .campaigns();
        assertThat(n1.receives(forward(1, 1), n(1)).effects())
                .containsExactly(elected(1, 1), send(1, new Elected(n(1), 1)));
    }
}
