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
import habemus.election.BullyStable.Message;
import habemus.election.BullyStable.Message.Answer;
import habemus.election.BullyStable.Message.Coordinator;
import habemus.election.BullyStable.Message.Election;
import habemus.election.BullyStable.State;
import habemus.election.BullyStable.Uptime;
import habemus.election.BullyStable.Uptime.JustRestarted;
import habemus.election.BullyStable.Uptime.Since;
import habemus.protocol.NodeSet;
import habemus.protocol.Ranking;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules, at n3 of five nodes. */
class BullyStableTest {

    private static final Duration ANSWER = Duration.ofMillis(100);
    private static final Duration COORDINATOR = Duration.ofMillis(500);
    private static final BullyStable STABLE = new BullyStable(Ranking.BY_NUMBER, ANSWER, COORDINATOR);
    private static final NodeSet OTHERS = nodes(1, 2, 4, 5);

    private static ProtocolFixture<State, Message> newcomer() {
        return node(3, 5, STABLE);
    }

    private static ProtocolFixture<State, Message> asking() {
        return newcomer().campaigns();
    }

    private static ProtocolFixture<State, Message> awaitingCoordinator() {
        return asking().receives(new Answer(), n(4));
    }

    private static ProtocolFixture<State, Message> following() {
        return newcomer().receives(new Coordinator(1, new Since(0)), n(5));
    }

    private static ProtocolFixture<State, Message> leading() {
        return asking().timesOut(OVERDUE);
    }

    private static ProtocolFixture<State, Message> justRestarted() {
        return restarted(3, 5, STABLE, new DurableState(6));
    }

    private static State n3(long term, Uptime uptime, Phase phase) {
        return new State(n(3), OTHERS, term, uptime, phase);
    }

    @Test
    void all_nodes_start_with_the_same_age_and_without_messages() {
        assertThat(newcomer().effects()).isEmpty();
        assertThat(newcomer().state()).isEqualTo(n3(0, new Since(0), new Newcomer()));
    }

    @Test
    void a_candidate_asks_all_peers() {
        assertThat(asking().effects())
                .containsExactly(sendAll(OTHERS, new Election(new Since(0))), setTimer(OVERDUE, ANSWER));
        assertThat(asking().state()).isEqualTo(n3(0, new Since(0), new Asking()));
    }

    @Test
    void a_campaign_during_an_election_or_of_a_leader_changes_nothing() {
        for (var busy : List.of(asking(), awaitingCoordinator(), leading())) {
            assertThat(busy.campaigns().effects()).isEmpty();
            assertThat(busy.campaigns().state()).isEqualTo(busy.state());
        }
    }

    @Test
    void a_restarted_node_is_the_youngest_and_asks() {
        assertThat(justRestarted().effects())
                .containsExactly(sendAll(OTHERS, new Election(new JustRestarted())), setTimer(OVERDUE, ANSWER));
        assertThat(justRestarted().state()).isEqualTo(n3(6, new JustRestarted(), new Asking()));
        assertThat(STABLE.durableState(justRestarted().state())).isEqualTo(new DurableState(6));
    }

    @Test
    void the_age_of_a_restarted_node_is_the_term_of_its_first_leader() {
        var n3 = justRestarted().receives(new Coordinator(8, new Since(2)), n(1));
        assertThat(n3.effects()).containsExactly(cancelTimer(OVERDUE), elected(1, 8));
        assertThat(n3.state()).isEqualTo(n3(8, new Since(8), new Following(n(1))));
    }

    @Test
    void a_node_keeps_its_age_under_a_new_leader() {
        var n3 = justRestarted()
                .receives(new Coordinator(8, new Since(2)), n(1))
                .receives(new Coordinator(9, new Since(3)), n(2));
        assertThat(n3.state()).isEqualTo(n3(9, new Since(8), new Following(n(2))));
    }

    @Test
    void a_restarted_leader_is_older_than_nodes_that_restart_in_its_term() {
        var n3 = justRestarted().timesOut(OVERDUE);
        assertThat(n3.effects()).containsExactly(elected(3, 7), sendAll(OTHERS, new Coordinator(7, new Since(6))));
        assertThat(n3.state()).isEqualTo(n3(7, new Since(6), new Leading()));
    }

    @Test
    void a_node_answers_a_younger_one_and_asks_itself() {
        for (var idle : List.of(newcomer(), following())) {
            var n3 = idle.receives(new Election(new JustRestarted()), n(5));
            assertThat(n3.effects())
                    .containsExactly(
                            send(5, new Answer()),
                            sendAll(OTHERS, new Election(new Since(0))),
                            setTimer(OVERDUE, ANSWER));
            assertThat(n3.state().phase()).isEqualTo(new Asking());
        }
    }

    @Test
    void a_candidate_only_answers_a_younger_one() {
        for (var busy : List.of(asking(), awaitingCoordinator())) {
            var n3 = busy.receives(new Election(new Since(7)), n(5));
            assertThat(n3.effects()).containsExactly(send(5, new Answer()));
            assertThat(n3.state()).isEqualTo(busy.state());
        }
    }

    @Test
    void of_two_nodes_with_the_same_age_the_better_one_is_older() {
        assertThat(asking().receives(new Election(new Since(0)), n(2)).effects())
                .containsExactly(send(2, new Answer()));
        assertThat(asking().receives(new Election(new Since(0)), n(4)).effects())
                .containsExactly(setTimer(OVERDUE, COORDINATOR));
    }

    @Test
    void of_two_restarted_nodes_the_better_one_is_older() {
        assertThat(justRestarted()
                        .receives(new Election(new JustRestarted()), n(2))
                        .effects())
                .containsExactly(send(2, new Answer()));
        assertThat(justRestarted()
                        .receives(new Election(new JustRestarted()), n(4))
                        .effects())
                .containsExactly(setTimer(OVERDUE, COORDINATOR));
    }

    @Test
    void a_candidate_waits_for_an_older_node_that_answers_or_asks() {
        for (var awaiting : List.of(
                asking().receives(new Answer(), n(1)), justRestarted().receives(new Election(new Since(5)), n(1)))) {
            assertThat(awaiting.effects()).containsExactly(setTimer(OVERDUE, COORDINATOR));
            assertThat(awaiting.state().phase()).isEqualTo(new AwaitingCoordinator());
        }
    }

    @Test
    void a_node_does_not_answer_an_older_one() {
        for (var idle : List.of(newcomer(), awaitingCoordinator(), following())) {
            var n3 = idle.receives(new Election(new Since(0)), n(4));
            assertThat(n3.effects()).isEmpty();
            assertThat(n3.state()).isEqualTo(idle.state());
        }
    }

    @Test
    void a_node_ignores_a_late_answer() {
        for (var done : List.of(newcomer(), awaitingCoordinator(), following(), leading())) {
            assertThat(done.receives(new Answer(), n(4)).effects()).isEmpty();
            assertThat(done.receives(new Answer(), n(4)).state()).isEqualTo(done.state());
        }
    }

    @Test
    void a_leader_answers_every_election_with_coordinator() {
        for (Uptime uptime : List.of(new Since(0), new JustRestarted())) {
            var n3 = leading().receives(new Election(uptime), n(5));
            assertThat(n3.effects()).containsExactly(send(5, new Coordinator(1, new Since(0))));
            assertThat(n3.state()).isEqualTo(n3(1, new Since(0), new Leading()));
        }
    }

    @Test
    void a_candidate_without_answers_leads_after_the_timeout() {
        assertThat(leading().effects())
                .containsExactly(elected(3, 1), sendAll(OTHERS, new Coordinator(1, new Since(0))));
        assertThat(leading().state()).isEqualTo(n3(1, new Since(0), new Leading()));
    }

    @Test
    void a_candidate_asks_again_if_no_coordinator_arrives_in_time() {
        var n3 = awaitingCoordinator().timesOut(OVERDUE);
        assertThat(n3.effects())
                .containsExactly(sendAll(OTHERS, new Election(new Since(0))), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(0, new Since(0), new Asking()));
    }

    @Test
    void of_two_leaders_the_younger_one_follows_the_older() {
        var older = leading().receives(new Coordinator(1, new Since(0)), n(2));
        assertThat(older.effects()).containsExactly(sendAll(OTHERS, new Coordinator(1, new Since(0))));
        assertThat(older.state()).isEqualTo(n3(1, new Since(0), new Leading()));
        var younger = leading().receives(new Coordinator(4, new Since(0)), n(4));
        assertThat(younger.effects()).containsExactly(cancelTimer(OVERDUE), elected(4, 4));
        assertThat(younger.state()).isEqualTo(n3(4, new Since(0), new Following(n(4))));
    }

    @Test
    void a_follower_asks_only_when_it_suspects_its_leader() {
        assertThat(following().suspects(4).effects()).isEmpty();
        assertThat(following().suspects(5).effects())
                .containsExactly(sendAll(OTHERS, new Election(new Since(0))), setTimer(OVERDUE, ANSWER));
        assertThat(following().suspects(5).state()).isEqualTo(n3(1, new Since(0), new Asking()));
    }

    @Test
    void a_restored_peer_changes_nothing() {
        assertThat(leading().suspects(5).restores(5).effects()).isEmpty();
        assertThat(leading().suspects(5).restores(5).state())
                .isEqualTo(leading().state());
    }

    @Test
    void a_new_member_is_the_youngest() {
        var n3 = joining(3, 5, 1, STABLE);
        assertThat(n3.effects())
                .containsExactly(sendAll(OTHERS, new Election(new JustRestarted())), setTimer(OVERDUE, ANSWER));
    }

    @Test
    void a_candidate_asks_a_new_member_too() {
        assertThat(newcomer().learnsThatJoined(6, 1).campaigns().effects())
                .contains(sendAll(OTHERS.with(n(6)), new Election(new Since(0))));
    }

    @Test
    void a_follower_asks_when_its_leader_has_left() {
        assertThat(following().learnsThatLeft(5, 1).effects())
                .containsExactly(sendAll(nodes(1, 2, 4), new Election(new Since(0))), setTimer(OVERDUE, ANSWER));
    }
}
