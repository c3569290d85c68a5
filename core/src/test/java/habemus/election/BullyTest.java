package habemus.election;

import static habemus.ProtocolFixture.cancelTimer;
import static habemus.ProtocolFixture.elected;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.nodes;
import static habemus.ProtocolFixture.restarted;
import static habemus.ProtocolFixture.send;
import static habemus.ProtocolFixture.sendAll;
import static habemus.ProtocolFixture.setTimer;
import static habemus.election.Bully.Timer.OVERDUE;
import static habemus.protocol.NodeSet.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.ProtocolFixture;
import habemus.election.Bully.DurableState;
import habemus.election.Bully.Message;
import habemus.election.Bully.Message.Answer;
import habemus.election.Bully.Message.Coordinator;
import habemus.election.Bully.Message.Election;
import habemus.election.Bully.Phase;
import habemus.election.Bully.Phase.Asking;
import habemus.election.Bully.Phase.AwaitingCoordinator;
import habemus.election.Bully.Phase.Following;
import habemus.election.Bully.Phase.Leading;
import habemus.election.Bully.Phase.Newcomer;
import habemus.election.Bully.State;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Ranking;
import habemus.protocol.Ranking.Rank;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules, as n3 of five nodes follows them. */
class BullyTest {

    private static final Duration ANSWER = Duration.ofMillis(100);
    private static final Duration COORDINATOR = Duration.ofMillis(500);
    private static final Bully BULLY = new Bully(Ranking.BY_NUMBER, ANSWER, COORDINATOR);

    private static ProtocolFixture<State, Message> newcomer() {
        return node(3, 5, BULLY);
    }

    private static ProtocolFixture<State, Message> asking() {
        return newcomer().campaigns();
    }

    private static ProtocolFixture<State, Message> hoping() {
        return asking().receives(new Answer(), n(4));
    }

    private static ProtocolFixture<State, Message> following(int leader) {
        return newcomer().receives(new Coordinator(1), n(leader));
    }

    private static ProtocolFixture<State, Message> leading() {
        return asking().timesOut(OVERDUE);
    }

    private static State n3(Phase phase, long term) {
        return n3(phase, term, NONE);
    }

    private static State n3(Phase phase, long term, NodeSet suspected) {
        return new State(n(3), nodes(4, 5), nodes(1, 2), suspected, term, phase);
    }

    @Test
    void starts_as_a_newcomer_that_suspects_nobody_and_says_nothing() {
        assertThat(newcomer().effects()).isEmpty();
        assertThat(newcomer().state()).isEqualTo(n3(new Newcomer(), 0));
    }

    @Test
    void is_better_than_others_by_rank_and_among_equals_by_number() {
        var ranking = new Ranking(List.of(new Rank(n(1), 9), new Rank(n(3), 4), new Rank(n(4), 4), new Rank(n(5), 1)));
        var n3 = node(3, 5, new Bully(ranking, ANSWER, COORDINATOR));
        assertThat(n3.state()).isEqualTo(new State(n(3), nodes(1, 4), nodes(2, 5), NONE, 0, new Newcomer()));
        assertThat(n3.campaigns().effects())
                .containsExactly(sendAll(nodes(1, 4), new Election()), setTimer(OVERDUE, ANSWER));
    }

    @Test
    void asks_all_better_nodes_and_waits_for_an_answer() {
        var n3 = newcomer().campaigns();
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(new Asking(), 0));
    }

    @Test
    void asks_the_suspected_too_as_long_as_one_better_node_is_not() {
        var n3 = newcomer().suspects(5).campaigns();
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(new Asking(), 0, nodes(5)));
    }

    @Test
    void asks_while_it_follows_if_it_is_told_to() {
        var n3 = following(5).campaigns();
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(new Asking(), 1));
    }

    @Test
    void leads_at_once_if_all_better_nodes_are_suspected() {
        var n3 = newcomer().suspects(4, 5).campaigns();
        assertThat(n3.effects()).containsExactly(elected(3, 1), sendAll(nodes(1, 2), new Coordinator(1)));
        assertThat(n3.state()).isEqualTo(n3(new Leading(), 1, nodes(4, 5)));
    }

    @Test
    void leads_at_once_if_nobody_is_better() {
        var n5 = node(5, 5, BULLY).campaigns();
        assertThat(n5.effects()).containsExactly(elected(5, 1), sendAll(nodes(1, 2, 3, 4), new Coordinator(1)));
        assertThat(n5.state()).isEqualTo(new State(n(5), NONE, nodes(1, 2, 3, 4), NONE, 1, new Leading()));
    }

    @Test
    void leads_without_a_word_if_it_is_alone() {
        var n1 = node(1, 1, BULLY).campaigns();
        assertThat(n1.effects()).containsExactly(elected(1, 1));
        assertThat(n1.state()).isEqualTo(new State(n(1), NONE, NONE, NONE, 1, new Leading()));
    }

    @Test
    void holds_one_election_at_a_time() {
        assertThat(asking().campaigns().effects()).isEmpty();
        assertThat(asking().campaigns().state()).isEqualTo(n3(new Asking(), 0));
        assertThat(hoping().campaigns().effects()).isEmpty();
        assertThat(hoping().campaigns().state()).isEqualTo(n3(new AwaitingCoordinator(), 0));
    }

    @Test
    void leads_on_in_a_new_term_if_it_is_told_to_campaign_and_nobody_better_is_up() {
        var n3 = newcomer().suspects(4, 5).campaigns().campaigns();
        assertThat(n3.effects()).containsExactly(elected(3, 2), sendAll(nodes(1, 2), new Coordinator(2)));
        assertThat(n3.state()).isEqualTo(n3(new Leading(), 2, nodes(4, 5)));
    }

    @Test
    void asks_although_it_leads_if_it_is_told_to_campaign_and_somebody_better_is_back() {
        var n3 = newcomer().suspects(4, 5).campaigns().restores(4).campaigns();
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(new Asking(), 1, nodes(5)));
    }

    @Test
    void answers_who_asks_and_holds_an_election_of_its_own() {
        var n3 = newcomer().receives(new Election(), n(1));
        assertThat(n3.effects())
                .containsExactly(
                        send(1, new Answer()), sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(new Asking(), 0));
    }

    @Test
    void answers_who_asks_and_holds_an_election_of_its_own_although_it_follows() {
        var n3 = following(5).receives(new Election(), n(1));
        assertThat(n3.effects())
                .containsExactly(
                        send(1, new Answer()), sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(new Asking(), 1));
    }

    @Test
    void answers_who_asks_and_leads_if_all_better_nodes_are_suspected() {
        var n3 = newcomer().suspects(4, 5).receives(new Election(), n(1));
        assertThat(n3.effects())
                .containsExactly(send(1, new Answer()), elected(3, 1), sendAll(nodes(1, 2), new Coordinator(1)));
        assertThat(n3.state()).isEqualTo(n3(new Leading(), 1, nodes(4, 5)));
    }

    @Test
    void only_answers_who_asks_while_its_own_election_is_running() {
        var asking = asking().receives(new Election(), n(1));
        assertThat(asking.effects()).containsExactly(send(1, new Answer()));
        assertThat(asking.state()).isEqualTo(n3(new Asking(), 0));
        var hoping = hoping().receives(new Election(), n(1));
        assertThat(hoping.effects()).containsExactly(send(1, new Answer()));
        assertThat(hoping.state()).isEqualTo(n3(new AwaitingCoordinator(), 0));
    }

    @Test
    void tells_who_asks_that_it_leads_already() {
        var n3 = leading().receives(new Election(), n(1));
        assertThat(n3.effects()).containsExactly(send(1, new Answer()), send(1, new Coordinator(1)));
        assertThat(n3.state()).isEqualTo(n3(new Leading(), 1));
    }

    @Test
    void hopes_for_a_coordinator_once_somebody_better_has_answered() {
        var n3 = asking().receives(new Answer(), n(4));
        assertThat(n3.effects()).containsExactly(setTimer(OVERDUE, COORDINATOR));
        assertThat(n3.state()).isEqualTo(n3(new AwaitingCoordinator(), 0));
    }

    @Test
    void does_not_wait_longer_for_a_second_answer() {
        var n3 = hoping().receives(new Answer(), n(5));
        assertThat(n3.effects()).isEmpty();
        assertThat(n3.state()).isEqualTo(n3(new AwaitingCoordinator(), 0));
    }

    @Test
    void takes_no_notice_of_an_answer_that_comes_too_late() {
        assertThat(leading().receives(new Answer(), n(4)).effects()).isEmpty();
        assertThat(leading().receives(new Answer(), n(4)).state()).isEqualTo(n3(new Leading(), 1));
        assertThat(following(5).receives(new Answer(), n(4)).effects()).isEmpty();
        assertThat(following(5).receives(new Answer(), n(4)).state()).isEqualTo(n3(new Following(n(5)), 1));
    }

    @Test
    void takes_no_notice_of_an_answer_to_what_it_asked_before_it_crashed() {
        var n3 = newcomer().receives(new Answer(), n(4));
        assertThat(n3.effects()).isEmpty();
        assertThat(n3.state()).isEqualTo(n3(new Newcomer(), 0));
    }

    @Test
    void follows_whoever_says_that_it_leads() {
        for (var before : List.of(newcomer(), asking(), hoping(), following(4), following(5))) {
            var n3 = before.receives(new Coordinator(7), n(5));
            assertThat(n3.effects()).containsExactly(cancelTimer(OVERDUE), elected(5, 7));
            assertThat(n3.state()).isEqualTo(n3(new Following(n(5)), 7));
        }
    }

    @Test
    void gives_way_to_a_better_node_that_takes_over() {
        var n3 = leading().receives(new Coordinator(7), n(4));
        assertThat(n3.effects()).containsExactly(cancelTimer(OVERDUE), elected(4, 7));
        assertThat(n3.state()).isEqualTo(n3(new Following(n(4)), 7));
    }

    @Test
    void keeps_its_term_if_that_of_the_leader_is_lower() {
        var n3 = leading().campaigns().timesOut(OVERDUE).receives(new Coordinator(1), n(5));
        assertThat(n3.effects()).containsExactly(cancelTimer(OVERDUE), elected(5, 1));
        assertThat(n3.state()).isEqualTo(n3(new Following(n(5)), 2));
    }

    @Test
    void asks_if_one_worse_than_its_leader_says_that_it_leads() {
        var n3 = following(5).receives(new Coordinator(7), n(4));
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(new Asking(), 1));
    }

    @Test
    void leads_if_nobody_answers_in_time() {
        var n3 = asking().timesOut(OVERDUE);
        assertThat(n3.effects()).containsExactly(elected(3, 1), sendAll(nodes(1, 2), new Coordinator(1)));
        assertThat(n3.state()).isEqualTo(n3(new Leading(), 1));
    }

    @Test
    void asks_again_if_whoever_answered_does_not_lead_in_time() {
        var n3 = hoping().timesOut(OVERDUE);
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(new Asking(), 0));
    }

    @Test
    void leads_if_all_that_it_hoped_for_are_suspected_by_then() {
        var n3 = hoping().suspects(4, 5).timesOut(OVERDUE);
        assertThat(n3.effects()).containsExactly(elected(3, 1), sendAll(nodes(1, 2), new Coordinator(1)));
        assertThat(n3.state()).isEqualTo(n3(new Leading(), 1, nodes(4, 5)));
    }

    @Test
    void asks_if_its_leader_is_suspected() {
        var n3 = following(5).suspects(5);
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(new Asking(), 1, nodes(5)));
    }

    @Test
    void leads_at_once_if_its_leader_was_the_last_better_node_not_suspected() {
        var n3 = following(5).suspects(4, 5);
        assertThat(n3.effects()).containsExactly(elected(3, 2), sendAll(nodes(1, 2), new Coordinator(2)));
        assertThat(n3.state()).isEqualTo(n3(new Leading(), 2, nodes(4, 5)));
    }

    @Test
    void remembers_whom_to_suspect_of_those_that_do_not_lead() {
        var following = following(5).suspects(4);
        assertThat(following.effects()).isEmpty();
        assertThat(following.state()).isEqualTo(n3(new Following(n(5)), 1, nodes(4)));
        var asking = asking().suspects(5);
        assertThat(asking.effects()).isEmpty();
        assertThat(asking.state()).isEqualTo(n3(new Asking(), 0, nodes(5)));
    }

    @Test
    void suspects_nobody_that_seems_to_be_up_again() {
        var n3 = following(5).suspects(1, 4).restores(4);
        assertThat(n3.effects()).isEmpty();
        assertThat(n3.state()).isEqualTo(n3(new Following(n(5)), 1, nodes(1)));
    }

    @Test
    void suspects_nobody_that_speaks() {
        var asked = hoping().suspects(1, 2).receives(new Election(), n(1));
        assertThat(asked.effects()).containsExactly(send(1, new Answer()));
        assertThat(asked.state()).isEqualTo(n3(new AwaitingCoordinator(), 0, nodes(2)));
        var answered = hoping().suspects(4, 5).receives(new Answer(), n(5));
        assertThat(answered.effects()).isEmpty();
        assertThat(answered.state()).isEqualTo(n3(new AwaitingCoordinator(), 0, nodes(4)));
        var led = following(5).suspects(5).receives(new Coordinator(2), n(5));
        assertThat(led.effects()).containsExactly(cancelTimer(OVERDUE), elected(5, 2));
        assertThat(led.state()).isEqualTo(n3(new Following(n(5)), 2));
    }

    @Test
    void has_its_term_on_disk() {
        assertThat(BULLY.durableState(leading().state())).isEqualTo(new DurableState(1));
    }

    @Test
    void holds_an_election_when_it_comes_back() {
        var n3 = restarted(3, 5, BULLY, new DurableState(6));
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(new Asking(), 6));
    }

    @Test
    void takes_over_when_it_comes_back_if_nobody_is_better() {
        var n5 = restarted(5, 5, BULLY, new DurableState(6));
        assertThat(n5.effects()).containsExactly(elected(5, 7), sendAll(nodes(1, 2, 3, 4), new Coordinator(7)));
        assertThat(n5.state()).isEqualTo(new State(n(5), NONE, nodes(1, 2, 3, 4), NONE, 7, new Leading()));
    }

    @Test
    void cannot_be_asked_to_enter() {
        assertThatThrownBy(() -> newcomer().acquires()).isInstanceOf(ProtocolBug.class);
    }
}
