package habemus.election;

import static habemus.Given.elected;
import static habemus.Given.n;
import static habemus.Given.node;
import static habemus.Given.send;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.Given;
import habemus.election.HirschbergSinclair.Message;
import habemus.election.HirschbergSinclair.Message.Elected;
import habemus.election.HirschbergSinclair.Message.Probe;
import habemus.election.HirschbergSinclair.Message.Reply;
import habemus.election.HirschbergSinclair.Phase;
import habemus.election.HirschbergSinclair.Phase.Active;
import habemus.election.HirschbergSinclair.Phase.Passive;
import habemus.election.HirschbergSinclair.Phase.Resting;
import habemus.election.HirschbergSinclair.State;
import habemus.election.HirschbergSinclair.Way;
import habemus.protocol.Place;
import habemus.protocol.Ranking;
import habemus.protocol.Ranking.Rank;
import habemus.world.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules, as n5 follows them in a ring where n2 comes before it and n7 after it. */
class HirschbergSinclairTest {

    private static Given<State, Message> resting() {
        return node(new Place(n(5), List.of(n(7), n(2))), new HirschbergSinclair(Ranking.BY_NUMBER));
    }

    private static Given<State, Message> active() {
        return resting().campaigns();
    }

    private static Given<State, Message> passive() {
        return active().gets(onward(9, 1), n(2));
    }

    private static Probe onward(int id, int hops) {
        return new Probe(n(id), 1, hops, Way.ONWARD);
    }

    private static Probe back(int id, int hops) {
        return new Probe(n(id), 1, hops, Way.BACK);
    }

    private static Reply reply(int id, Way way) {
        return new Reply(n(id), 1, way);
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
        var half = active().gets(reply(5, Way.BACK), n(7));
        assertThat(half.effects()).isEmpty();
        assertThat(half.state()).isEqualTo(n5(1, new Active(1, true)));
        var n5 = half.gets(reply(5, Way.ONWARD), n(2));
        assertThat(n5.effects()).containsExactly(send(7, onward(5, 2)), send(2, back(5, 2)));
        assertThat(n5.state()).isEqualTo(n5(1, new Active(2, false)));
    }

    @Test
    void answers_a_better_one_that_goes_no_further_and_gives_up() {
        assertThat(passive().effects()).containsExactly(send(2, reply(9, Way.BACK)));
        assertThat(passive().state()).isEqualTo(n5(1, new Passive()));
        assertThat(active().gets(back(9, 1), n(7)).effects()).containsExactly(send(7, reply(9, Way.ONWARD)));
    }

    @Test
    void passes_a_better_one_on_that_goes_further() {
        var n5 = resting().gets(onward(9, 3), n(2));
        assertThat(n5.effects()).containsExactly(send(7, onward(9, 2)));
        assertThat(n5.state()).isEqualTo(n5(1, new Passive()));
        assertThat(active().gets(back(9, 2), n(7)).effects()).containsExactly(send(2, back(9, 1)));
    }

    @Test
    void does_not_answer_a_worse_one() {
        assertThat(active().gets(onward(2, 1), n(2)).effects()).isEmpty();
        assertThat(passive().gets(onward(2, 1), n(2)).effects()).isEmpty();
    }

    @Test
    void runs_itself_when_a_worse_one_asks_it() {
        var n5 = resting().gets(onward(2, 1), n(2));
        assertThat(n5.effects()).containsExactly(send(7, onward(5, 1)), send(2, back(5, 1)));
        assertThat(n5.state()).isEqualTo(n5(1, new Active(1, false)));
    }

    @Test
    void passes_replies_to_others_on() {
        assertThat(passive().gets(reply(9, Way.BACK), n(7)).effects()).containsExactly(send(2, reply(9, Way.BACK)));
        assertThat(passive().gets(reply(9, Way.ONWARD), n(2)).effects()).containsExactly(send(7, reply(9, Way.ONWARD)));
    }

    @Test
    void does_not_care_for_replies_once_it_has_given_up() {
        assertThat(passive().gets(reply(5, Way.BACK), n(7)).effects()).isEmpty();
        assertThat(passive().gets(reply(5, Way.BACK), n(7)).state())
                .isEqualTo(passive().state());
    }

    @Test
    void leads_when_it_reaches_itself_and_spreads_the_news() {
        var n5 = active().gets(onward(5, 1), n(2));
        assertThat(n5.effects()).containsExactly(elected(5, 1), send(7, new Elected(n(5), 1)));
        assertThat(n5.state()).isEqualTo(n5(1, new Resting()));
        assertThat(n5.gets(back(5, 1), n(7)).effects()).isEmpty();
        assertThat(n5.gets(new Elected(n(5), 1), n(2)).effects()).isEmpty();
    }

    @Test
    void names_the_leader_passes_the_news_on_and_rests() {
        var n5 = passive().gets(new Elected(n(9), 1), n(2));
        assertThat(n5.effects()).containsExactly(elected(9, 1), send(7, new Elected(n(9), 1)));
        assertThat(n5.state()).isEqualTo(n5(1, new Resting()));
    }

    @Test
    void takes_part_in_the_next_election_although_it_has_not_heard_how_this_one_ended() {
        var n5 = passive().gets(new Probe(n(2), 2, 1, Way.ONWARD), n(2));
        assertThat(n5.state()).isEqualTo(n5(2, new Active(1, false)));
        assertThat(n5.gets(new Elected(n(9), 1), n(2)).effects()).isEmpty();
        assertThat(n5.gets(reply(9, Way.BACK), n(7)).effects()).isEmpty();
    }

    @Test
    void compares_ranks_before_ids() {
        var ranking = new Ranking(List.of(new Rank(n(2), 1)));
        var n5 = node(new Place(n(5), List.of(n(7), n(2))), new HirschbergSinclair(ranking))
                .gets(onward(2, 1), n(2));
        assertThat(n5.effects()).containsExactly(send(2, reply(2, Way.BACK)));
    }

    @Test
    void is_its_own_neighbour_if_it_is_alone() {
        var n1 = node(Topology.ring(1).place(n(1)), new HirschbergSinclair(Ranking.BY_NUMBER))
                .campaigns();
        assertThat(n1.gets(onward(1, 1), n(1)).effects()).containsExactly(elected(1, 1), send(1, new Elected(n(1), 1)));
    }
}
