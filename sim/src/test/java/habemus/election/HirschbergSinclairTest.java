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

/** The rules, as n5 follows them in a ring where n2 comes before it and n7 after it. */
class HirschbergSinclairTest {

    private static ProtocolFixture<State, Message> resting() {
        return node(new Neighbourhood(n(5), List.of(n(7), n(2))), new HirschbergSinclair(Ranking.BY_NUMBER));
    }

    private static ProtocolFixture<State, Message> active() {
        return resting().campaigns();
    }

    private static ProtocolFixture<State, Message> passive() {
        return active().receives(onward(9, 1), n(2));
    }

    private static Probe onward(int id, int hops) {
        return new Probe(n(id), 1, hops, Direction.FORWARD);
    }

    private static Probe back(int id, int hops) {
        return new Probe(n(id), 1, hops, Direction.BACKWARD);
    }

    private static Reply reply(int id, Direction direction) {
        return new Reply(n(id), 1, direction);
    }

    private static State n5(long term, Phase phase) {
        return new State(n(5), n(7), n(2), term, phase);
    }

    @Test
    void asks_one_node_on_each_side_first() {
        assertThat(active().effects()).containsExactly(send(7, onward(5, 1)), send(2, back(5, 1)));
        assertThat(active().state()).isEqualTo(n5(1, new Active(1, false)));
        assertThat(active().campaigns().effects()).isEmpty();
    }

    @Test
    void asks_twice_as_many_when_both_sides_have_answered() {
        var half = active().receives(reply(5, Direction.BACKWARD), n(7));
        assertThat(half.effects()).isEmpty();
        assertThat(half.state()).isEqualTo(n5(1, new Active(1, true)));
        var n5 = half.receives(reply(5, Direction.FORWARD), n(2));
        assertThat(n5.effects()).containsExactly(send(7, onward(5, 2)), send(2, back(5, 2)));
        assertThat(n5.state()).isEqualTo(n5(1, new Active(2, false)));
    }

    @Test
    void answers_a_better_one_that_goes_no_further_and_gives_up() {
        assertThat(passive().effects()).containsExactly(send(2, reply(9, Direction.BACKWARD)));
        assertThat(passive().state()).isEqualTo(n5(1, new Passive()));
        assertThat(active().receives(back(9, 1), n(7)).effects()).containsExactly(send(7, reply(9, Direction.FORWARD)));
    }

    @Test
    void passes_a_better_one_on_that_goes_further() {
        var n5 = resting().receives(onward(9, 3), n(2));
        assertThat(n5.effects()).containsExactly(send(7, onward(9, 2)));
        assertThat(n5.state()).isEqualTo(n5(1, new Passive()));
        assertThat(active().receives(back(9, 2), n(7)).effects()).containsExactly(send(2, back(9, 1)));
    }

    @Test
    void does_not_answer_a_worse_one() {
        assertThat(active().receives(onward(2, 1), n(2)).effects()).isEmpty();
        assertThat(passive().receives(onward(2, 1), n(2)).effects()).isEmpty();
    }

    @Test
    void runs_itself_when_a_worse_one_asks_it() {
        var n5 = resting().receives(onward(2, 1), n(2));
        assertThat(n5.effects()).containsExactly(send(7, onward(5, 1)), send(2, back(5, 1)));
        assertThat(n5.state()).isEqualTo(n5(1, new Active(1, false)));
    }

    @Test
    void passes_replies_to_others_on() {
        assertThat(passive().receives(reply(9, Direction.BACKWARD), n(7)).effects())
                .containsExactly(send(2, reply(9, Direction.BACKWARD)));
        assertThat(passive().receives(reply(9, Direction.FORWARD), n(2)).effects())
                .containsExactly(send(7, reply(9, Direction.FORWARD)));
    }

    @Test
    void does_not_care_for_replies_once_it_has_given_up() {
        assertThat(passive().receives(reply(5, Direction.BACKWARD), n(7)).effects())
                .isEmpty();
        assertThat(passive().receives(reply(5, Direction.BACKWARD), n(7)).state())
                .isEqualTo(passive().state());
    }

    @Test
    void leads_when_it_reaches_itself_and_spreads_the_news() {
        var n5 = active().receives(onward(5, 1), n(2));
        assertThat(n5.effects()).containsExactly(elected(5, 1), send(7, new Elected(n(5), 1)));
        assertThat(n5.state()).isEqualTo(n5(1, new Resting()));
        assertThat(n5.receives(back(5, 1), n(7)).effects()).isEmpty();
        assertThat(n5.receives(new Elected(n(5), 1), n(2)).effects()).isEmpty();
    }

    @Test
    void names_the_leader_passes_the_news_on_and_rests() {
        var n5 = passive().receives(new Elected(n(9), 1), n(2));
        assertThat(n5.effects()).containsExactly(elected(9, 1), send(7, new Elected(n(9), 1)));
        assertThat(n5.state()).isEqualTo(n5(1, new Resting()));
    }

    @Test
    void takes_part_in_the_next_election_although_it_has_not_heard_how_this_one_ended() {
        var n5 = passive().receives(new Probe(n(2), 2, 1, Direction.FORWARD), n(2));
        assertThat(n5.state()).isEqualTo(n5(2, new Active(1, false)));
        assertThat(n5.receives(new Elected(n(9), 1), n(2)).effects()).isEmpty();
        assertThat(n5.receives(reply(9, Direction.BACKWARD), n(7)).effects()).isEmpty();
    }

    @Test
    void compares_ranks_before_ids() {
        var ranking = new Ranking(List.of(new Rank(n(2), 1)));
        var n5 = node(new Neighbourhood(n(5), List.of(n(7), n(2))), new HirschbergSinclair(ranking))
                .receives(onward(2, 1), n(2));
        assertThat(n5.effects()).containsExactly(send(2, reply(2, Direction.BACKWARD)));
    }

    @Test
    void is_its_own_neighbour_if_it_is_alone() {
        var n1 = node(Topology.ring(1).neighbourhood(n(1)), new HirschbergSinclair(Ranking.BY_NUMBER))
                .campaigns();
        assertThat(n1.receives(onward(1, 1), n(1)).effects())
                .containsExactly(elected(1, 1), send(1, new Elected(n(1), 1)));
    }
}
