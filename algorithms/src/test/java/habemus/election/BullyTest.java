package habemus.election;

import static habemus.ProtocolFixture.cancelTimer;
import static habemus.ProtocolFixture.elected;
import static habemus.ProtocolFixture.joining;
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

/** The rules, at n3 of five nodes. */
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

    private static ProtocolFixture<State, Message> awaitingCoordinator() {
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
    void a_node_starts_as_a_newcomer_without_messages() {
        assertThat(newcomer().effects()).isEmpty();
        assertThat(newcomer().state()).isEqualTo(n3(new Newcomer(), 0));
    }

    @Test
    void nodes_compare_by_rank_and_then_by_number() {
        var ranking = new Ranking(List.of(new Rank(n(1), 9), new Rank(n(3), 4), new Rank(n(4), 4), new Rank(n(5), 1)));
        var n3 = node(3, 5, new Bully(ranking, ANSWER, COORDINATOR));
        assertThat(n3.state()).isEqualTo(new State(n(3), nodes(1, 4), nodes(2, 5), NONE, 0, new Newcomer()));
        assertThat(n3.campaigns().effects())
                .containsExactly(sendAll(nodes(1, 4), new Election()), setTimer(OVERDUE, ANSWER));
    }

    @Test
    void a_candidate_asks_all_better_nodes_and_sets_a_timer() {
        var n3 = newcomer().campaigns();
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(new Asking(), 0));
    }

    @Test
    void a_candidate_also_asks_suspected_nodes_if_a_better_node_is_not_suspected() {
        var n3 = newcomer().suspects(5).campaigns();
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(new Asking(), 0, nodes(5)));
    }

    @Test
    void a_follower_that_campaigns_asks() {
        var n3 = following(5).campaigns();
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(new Asking(), 1));
    }

    @Test
    void a_candidate_leads_at_once_if_all_better_nodes_are_suspected() {
        var n3 = newcomer().suspects(4, 5).campaigns();
        assertThat(n3.effects()).containsExactly(elected(3, 1), sendAll(nodes(1, 2), new Coordinator(1)));
        assertThat(n3.state()).isEqualTo(n3(new Leading(), 1, nodes(4, 5)));
    }

    @Test
    void the_best_node_leads_at_once() {
        var n5 = node(5, 5, BULLY).campaigns();
        assertThat(n5.effects()).containsExactly(elected(5, 1), sendAll(nodes(1, 2, 3, 4), new Coordinator(1)));
        assertThat(n5.state()).isEqualTo(new State(n(5), NONE, nodes(1, 2, 3, 4), NONE, 1, new Leading()));
    }

    @Test
    void a_node_without_peers_leads_without_messages() {
        var n1 = node(1, 1, BULLY).campaigns();
        assertThat(n1.effects()).containsExactly(elected(1, 1));
        assertThat(n1.state()).isEqualTo(new State(n(1), NONE, NONE, NONE, 1, new Leading()));
    }

    @Test
    void a_campaign_during_an_election_changes_nothing() {
        assertThat(asking().campaigns().effects()).isEmpty();
        assertThat(asking().campaigns().state()).isEqualTo(n3(new Asking(), 0));
        assertThat(awaitingCoordinator().campaigns().effects()).isEmpty();
        assertThat(awaitingCoordinator().campaigns().state()).isEqualTo(n3(new AwaitingCoordinator(), 0));
    }

    @Test
    void a_leader_that_campaigns_starts_a_new_term_if_no_better_node_is_up() {
        var n3 = newcomer().suspects(4, 5).campaigns().campaigns();
        assertThat(n3.effects()).containsExactly(elected(3, 2), sendAll(nodes(1, 2), new Coordinator(2)));
        assertThat(n3.state()).isEqualTo(n3(new Leading(), 2, nodes(4, 5)));
    }

    @Test
    void a_leader_that_campaigns_asks_a_restored_better_node() {
        var n3 = newcomer().suspects(4, 5).campaigns().restores(4).campaigns();
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(new Asking(), 1, nodes(5)));
    }

    @Test
    void a_newcomer_answers_an_election_and_starts_its_own() {
        var n3 = newcomer().receives(new Election(), n(1));
        assertThat(n3.effects())
                .containsExactly(
                        send(1, new Answer()), sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(new Asking(), 0));
    }

    @Test
    void a_follower_answers_an_election_and_starts_its_own() {
        var n3 = following(5).receives(new Election(), n(1));
        assertThat(n3.effects())
                .containsExactly(
                        send(1, new Answer()), sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(new Asking(), 1));
    }

    @Test
    void a_node_answers_an_election_and_leads_if_all_better_nodes_are_suspected() {
        var n3 = newcomer().suspects(4, 5).receives(new Election(), n(1));
        assertThat(n3.effects())
                .containsExactly(send(1, new Answer()), elected(3, 1), sendAll(nodes(1, 2), new Coordinator(1)));
        assertThat(n3.state()).isEqualTo(n3(new Leading(), 1, nodes(4, 5)));
    }

    @Test
    void a_node_only_answers_an_election_while_its_own_is_running() {
        var asking = asking().receives(new Election(), n(1));
        assertThat(asking.effects()).containsExactly(send(1, new Answer()));
        assertThat(asking.state()).isEqualTo(n3(new Asking(), 0));
        var awaiting = awaitingCoordinator().receives(new Election(), n(1));
        assertThat(awaiting.effects()).containsExactly(send(1, new Answer()));
        assertThat(awaiting.state()).isEqualTo(n3(new AwaitingCoordinator(), 0));
    }

    @Test
    void a_leader_answers_an_election_with_coordinator() {
        var n3 = leading().receives(new Election(), n(1));
        assertThat(n3.effects()).containsExactly(send(1, new Answer()), send(1, new Coordinator(1)));
        assertThat(n3.state()).isEqualTo(n3(new Leading(), 1));
    }

    @Test
    void a_candidate_waits_for_the_coordinator_after_an_answer() {
        var n3 = asking().receives(new Answer(), n(4));
        assertThat(n3.effects()).containsExactly(setTimer(OVERDUE, COORDINATOR));
        assertThat(n3.state()).isEqualTo(n3(new AwaitingCoordinator(), 0));
    }

    @Test
    void a_second_answer_does_not_reset_the_timer() {
        var n3 = awaitingCoordinator().receives(new Answer(), n(5));
        assertThat(n3.effects()).isEmpty();
        assertThat(n3.state()).isEqualTo(n3(new AwaitingCoordinator(), 0));
    }

    @Test
    void a_leader_or_follower_ignores_a_late_answer() {
        assertThat(leading().receives(new Answer(), n(4)).effects()).isEmpty();
        assertThat(leading().receives(new Answer(), n(4)).state()).isEqualTo(n3(new Leading(), 1));
        assertThat(following(5).receives(new Answer(), n(4)).effects()).isEmpty();
        assertThat(following(5).receives(new Answer(), n(4)).state()).isEqualTo(n3(new Following(n(5)), 1));
    }

    @Test
    void a_newcomer_ignores_an_answer_to_a_question_before_its_crash() {
        var n3 = newcomer().receives(new Answer(), n(4));
        assertThat(n3.effects()).isEmpty();
        assertThat(n3.state()).isEqualTo(n3(new Newcomer(), 0));
    }

    @Test
    void a_node_follows_the_sender_of_coordinator() {
        for (var before : List.of(newcomer(), asking(), awaitingCoordinator(), following(4), following(5))) {
            var n3 = before.receives(new Coordinator(7), n(5));
            assertThat(n3.effects()).containsExactly(cancelTimer(OVERDUE), elected(5, 7));
            assertThat(n3.state()).isEqualTo(n3(new Following(n(5)), 7));
        }
    }

    @Test
    void a_leader_follows_a_better_node_that_leads() {
        var n3 = leading().receives(new Coordinator(7), n(4));
        assertThat(n3.effects()).containsExactly(cancelTimer(OVERDUE), elected(4, 7));
        assertThat(n3.state()).isEqualTo(n3(new Following(n(4)), 7));
    }

    @Test
    void a_node_keeps_its_term_if_that_of_the_leader_is_lower() {
        var n3 = leading().campaigns().timesOut(OVERDUE).receives(new Coordinator(1), n(5));
        assertThat(n3.effects()).containsExactly(cancelTimer(OVERDUE), elected(5, 1));
        assertThat(n3.state()).isEqualTo(n3(new Following(n(5)), 2));
    }

    @Test
    void a_follower_asks_if_a_node_worse_than_its_leader_leads() {
        var n3 = following(5).receives(new Coordinator(7), n(4));
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(new Asking(), 1));
    }

    @Test
    void a_candidate_without_answers_leads_after_the_timeout() {
        var n3 = asking().timesOut(OVERDUE);
        assertThat(n3.effects()).containsExactly(elected(3, 1), sendAll(nodes(1, 2), new Coordinator(1)));
        assertThat(n3.state()).isEqualTo(n3(new Leading(), 1));
    }

    @Test
    void a_candidate_asks_again_if_no_coordinator_arrives_in_time() {
        var n3 = awaitingCoordinator().timesOut(OVERDUE);
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(new Asking(), 0));
    }

    @Test
    void a_candidate_leads_after_the_timeout_if_all_better_nodes_are_suspected() {
        var n3 = awaitingCoordinator().suspects(4, 5).timesOut(OVERDUE);
        assertThat(n3.effects()).containsExactly(elected(3, 1), sendAll(nodes(1, 2), new Coordinator(1)));
        assertThat(n3.state()).isEqualTo(n3(new Leading(), 1, nodes(4, 5)));
    }

    @Test
    void a_follower_asks_when_it_suspects_its_leader() {
        var n3 = following(5).suspects(5);
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(new Asking(), 1, nodes(5)));
    }

    @Test
    void a_follower_leads_at_once_when_it_suspects_the_last_better_node() {
        var n3 = following(5).suspects(4, 5);
        assertThat(n3.effects()).containsExactly(elected(3, 2), sendAll(nodes(1, 2), new Coordinator(2)));
        assertThat(n3.state()).isEqualTo(n3(new Leading(), 2, nodes(4, 5)));
    }

    @Test
    void a_node_remembers_suspicions_of_other_nodes() {
        var following = following(5).suspects(4);
        assertThat(following.effects()).isEmpty();
        assertThat(following.state()).isEqualTo(n3(new Following(n(5)), 1, nodes(4)));
        var asking = asking().suspects(5);
        assertThat(asking.effects()).isEmpty();
        assertThat(asking.state()).isEqualTo(n3(new Asking(), 0, nodes(5)));
    }

    @Test
    void a_restored_node_is_not_suspected() {
        var n3 = following(5).suspects(1, 4).restores(4);
        assertThat(n3.effects()).isEmpty();
        assertThat(n3.state()).isEqualTo(n3(new Following(n(5)), 1, nodes(1)));
    }

    @Test
    void the_sender_of_a_message_is_not_suspected() {
        var asked = awaitingCoordinator().suspects(1, 2).receives(new Election(), n(1));
        assertThat(asked.effects()).containsExactly(send(1, new Answer()));
        assertThat(asked.state()).isEqualTo(n3(new AwaitingCoordinator(), 0, nodes(2)));
        var answered = awaitingCoordinator().suspects(4, 5).receives(new Answer(), n(5));
        assertThat(answered.effects()).isEmpty();
        assertThat(answered.state()).isEqualTo(n3(new AwaitingCoordinator(), 0, nodes(4)));
        var led = following(5).suspects(5).receives(new Coordinator(2), n(5));
        assertThat(led.effects()).containsExactly(cancelTimer(OVERDUE), elected(5, 2));
        assertThat(led.state()).isEqualTo(n3(new Following(n(5)), 2));
    }

    @Test
    void the_term_is_durable() {
        assertThat(BULLY.durableState(leading().state())).isEqualTo(new DurableState(1));
    }

    @Test
    void a_restarted_node_starts_an_election() {
        var n3 = restarted(3, 5, BULLY, new DurableState(6));
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(new Asking(), 6));
    }

    @Test
    void the_best_node_leads_after_its_restart() {
        var n5 = restarted(5, 5, BULLY, new DurableState(6));
        assertThat(n5.effects()).containsExactly(elected(5, 7), sendAll(nodes(1, 2, 3, 4), new Coordinator(7)));
        assertThat(n5.state()).isEqualTo(new State(n(5), NONE, nodes(1, 2, 3, 4), NONE, 7, new Leading()));
    }

    @Test
    void an_acquire_is_a_bug() {
        assertThatThrownBy(() -> newcomer().acquires()).isInstanceOf(ProtocolBug.class);
    }

    @Test
    void a_new_member_asks_the_better_nodes() {
        assertThat(joining(3, 5, 1, BULLY).effects())
                .containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
    }

    @Test
    void the_best_new_member_leads_at_once() {
        assertThat(joining(5, 5, 1, BULLY).effects())
                .containsExactly(elected(5, 1), sendAll(nodes(1, 2, 3, 4), new Coordinator(1)));
    }

    @Test
    void a_candidate_asks_a_better_new_member_too() {
        var n3 = newcomer().learnsThatJoined(6, 1).campaigns();
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4, 5, 6), new Election()), setTimer(OVERDUE, ANSWER));
    }

    @Test
    void a_follower_asks_when_its_leader_has_left() {
        assertThat(following(5).learnsThatLeft(5, 1).effects())
                .containsExactly(sendAll(nodes(4), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(following(5).learnsThatLeft(4, 1).effects()).isEmpty();
    }

    @Test
    void a_leader_announces_itself_to_a_worse_new_member() {
        var n5 = node(5, 5, BULLY).campaigns().learnsThatLeft(1, 1);
        assertThat(n5.learnsThatJoined(1, 2).effects()).containsExactly(send(1, new Coordinator(1)));
        assertThat(n5.learnsThatJoined(6, 2).effects()).isEmpty();
    }

    @Test
    void a_candidate_also_asks_a_better_node_that_joins_during_its_election() {
        assertThat(asking().learnsThatJoined(6, 1).effects()).containsExactly(send(6, new Election()));
    }
}
