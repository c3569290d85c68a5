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
import static org.assertj.core.api.Assertions.assertThat;

import habemus.ProtocolFixture;
import habemus.election.Bully.DurableState;
import habemus.election.Bully.Phase;
import habemus.election.Bully.Phase.Asking;
import habemus.election.Bully.Phase.AwaitingCoordinator;
import habemus.election.Bully.Phase.Following;
import habemus.election.Bully.Phase.Leading;
import habemus.election.Bully.Phase.Newcomer;
import habemus.election.BullyEfficient.Message;
import habemus.election.BullyEfficient.Message.Answer;
import habemus.election.BullyEfficient.Message.Appointment;
import habemus.election.BullyEfficient.Message.Coordinator;
import habemus.election.BullyEfficient.Message.Election;
import habemus.election.BullyEfficient.State;
import habemus.protocol.Ranking;
import habemus.protocol.Ranking.Rank;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules, at n3 of five nodes. */
class BullyEfficientTest {

    private static final Duration ANSWER = Duration.ofMillis(100);
    private static final Duration COORDINATOR = Duration.ofMillis(500);
    private static final BullyEfficient EFFICIENT = new BullyEfficient(Ranking.BY_NUMBER, ANSWER, COORDINATOR);

    private static ProtocolFixture<State, Message> newcomer() {
        return node(3, 5, EFFICIENT);
    }

    private static ProtocolFixture<State, Message> asking() {
        return newcomer().campaigns();
    }

    private static ProtocolFixture<State, Message> awaitingCoordinator() {
        return asking().receives(new Answer(), n(4)).timesOut(OVERDUE);
    }

    private static ProtocolFixture<State, Message> following(int leader) {
        return newcomer().receives(new Coordinator(1), n(leader));
    }

    private static ProtocolFixture<State, Message> leading() {
        return asking().timesOut(OVERDUE);
    }

    private static State n3(int bestAnswered, long term, Phase phase) {
        return new State(n(3), nodes(1, 2, 4, 5), n(bestAnswered), term, phase);
    }

    @Test
    void a_node_starts_as_a_newcomer_without_messages() {
        assertThat(newcomer().effects()).isEmpty();
        assertThat(newcomer().state()).isEqualTo(n3(3, 0, new Newcomer()));
    }

    @Test
    void a_candidate_asks_all_better_nodes_and_sets_a_timer() {
        assertThat(asking().effects()).containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(asking().state()).isEqualTo(n3(3, 0, new Asking()));
    }

    @Test
    void nodes_compare_by_rank_and_then_by_number() {
        var ranking = new Ranking(List.of(new Rank(n(1), 9), new Rank(n(3), 4), new Rank(n(4), 4), new Rank(n(5), 1)));
        var n3 = node(3, 5, new BullyEfficient(ranking, ANSWER, COORDINATOR)).campaigns();
        assertThat(n3.effects()).containsExactly(sendAll(nodes(1, 4), new Election()), setTimer(OVERDUE, ANSWER));
    }

    @Test
    void the_best_node_leads_at_once() {
        assertThat(node(5, 5, EFFICIENT).campaigns().effects())
                .containsExactly(cancelTimer(OVERDUE), elected(5, 1), sendAll(nodes(1, 2, 3, 4), new Coordinator(1)));
    }

    @Test
    void a_campaign_during_an_election_changes_nothing() {
        for (var busy : List.of(asking(), awaitingCoordinator())) {
            assertThat(busy.campaigns().effects()).isEmpty();
            assertThat(busy.campaigns().state()).isEqualTo(busy.state());
        }
    }

    @Test
    void a_node_only_answers_an_election() {
        for (var any : List.of(newcomer(), asking(), awaitingCoordinator(), following(5))) {
            var n3 = any.receives(new Election(), n(1));
            assertThat(n3.effects()).containsExactly(send(1, new Answer()));
            assertThat(n3.state()).isEqualTo(any.state());
        }
    }

    @Test
    void a_leader_answers_an_election_or_appointment_with_coordinator() {
        for (var message : List.of(new Election(), new Appointment())) {
            var n3 = leading().receives(message, n(1));
            assertThat(n3.effects()).containsExactly(send(1, new Coordinator(1)));
            assertThat(n3.state()).isEqualTo(leading().state());
        }
    }

    @Test
    void a_candidate_appoints_the_best_node_that_answered_in_time() {
        var n3 = asking().receives(new Answer(), n(5)).receives(new Answer(), n(4));
        assertThat(n3.effects()).isEmpty();
        assertThat(n3.state()).isEqualTo(n3(5, 0, new Asking()));
        assertThat(n3.timesOut(OVERDUE).effects())
                .containsExactly(send(5, new Appointment()), setTimer(OVERDUE, COORDINATOR));
        assertThat(n3.timesOut(OVERDUE).state()).isEqualTo(n3(5, 0, new AwaitingCoordinator()));
    }

    @Test
    void a_candidate_without_answers_leads_after_the_timeout() {
        assertThat(leading().effects())
                .containsExactly(cancelTimer(OVERDUE), elected(3, 1), sendAll(nodes(1, 2), new Coordinator(1)));
        assertThat(leading().state()).isEqualTo(n3(3, 1, new Leading()));
    }

    @Test
    void a_candidate_asks_again_if_the_appointed_node_does_not_lead_in_time() {
        var n3 = awaitingCoordinator().timesOut(OVERDUE);
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(3, 0, new Asking()));
    }

    @Test
    void a_node_ignores_a_late_answer() {
        for (var done : List.of(newcomer(), awaitingCoordinator(), following(5), leading())) {
            assertThat(done.receives(new Answer(), n(5)).effects()).isEmpty();
            assertThat(done.receives(new Answer(), n(5)).state()).isEqualTo(done.state());
        }
    }

    @Test
    void an_appointed_node_leads_at_once() {
        for (var free : List.of(newcomer(), asking(), awaitingCoordinator(), following(2))) {
            var n3 = free.receives(new Appointment(), n(1));
            assertThat(n3.effects())
                    .startsWith(cancelTimer(OVERDUE))
                    .contains(elected(3, n3.state().term()));
            assertThat(n3.state().phase()).isEqualTo(new Leading());
        }
    }

    @Test
    void an_appointed_node_that_follows_a_better_one_asks() {
        var n3 = following(5).receives(new Appointment(), n(1));
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(3, 1, new Asking()));
    }

    @Test
    void a_node_follows_the_sender_of_coordinator() {
        for (var before : List.of(newcomer(), asking(), awaitingCoordinator(), following(4), leading())) {
            var n3 = before.receives(new Coordinator(7), n(5));
            assertThat(n3.effects()).containsExactly(cancelTimer(OVERDUE), elected(5, 7));
            assertThat(n3.state().phase()).isEqualTo(new Following(n(5)));
            assertThat(n3.state().term()).isEqualTo(7);
        }
    }

    @Test
    void a_follower_asks_if_a_node_worse_than_its_leader_leads() {
        var n3 = following(5).receives(new Coordinator(7), n(4));
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(3, 1, new Asking()));
    }

    @Test
    void a_follower_asks_only_when_it_suspects_its_leader() {
        assertThat(following(5).suspects(4).effects()).isEmpty();
        assertThat(following(5).suspects(5).effects())
                .containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(leading().suspects(5).restores(5).state())
                .isEqualTo(leading().state());
    }

    @Test
    void a_restarted_node_asks_in_its_durable_term() {
        var n3 = restarted(3, 5, EFFICIENT, new DurableState(6));
        assertThat(n3.effects()).containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(3, 6, new Asking()));
        assertThat(EFFICIENT.durableState(n3.state())).isEqualTo(new DurableState(6));
    }

    @Test
    void a_new_member_asks_the_better_nodes() {
        assertThat(joining(3, 5, 1, EFFICIENT).effects())
                .containsExactly(sendAll(nodes(4, 5), new Election()), setTimer(OVERDUE, ANSWER));
    }

    @Test
    void a_candidate_asks_again_if_the_node_that_it_would_appoint_has_left() {
        var n3 = asking().receives(new Answer(), n(4)).receives(new Answer(), n(5));
        assertThat(n3.learnsThatLeft(5, 1).effects())
                .containsExactly(sendAll(nodes(4), new Election()), setTimer(OVERDUE, ANSWER));
        assertThat(n3.learnsThatLeft(4, 1).effects()).isEmpty();
    }

    @Test
    void a_follower_asks_when_its_leader_has_left() {
        assertThat(following(5).learnsThatLeft(5, 1).effects())
                .containsExactly(sendAll(nodes(4), new Election()), setTimer(OVERDUE, ANSWER));
    }

    @Test
    void the_last_node_leads_when_all_others_have_left() {
        var n1 = node(1, 2, EFFICIENT).receives(new Coordinator(1), n(2)).learnsThatLeft(2, 1);
        assertThat(n1.state().phase()).isEqualTo(new Leading());
    }
}
