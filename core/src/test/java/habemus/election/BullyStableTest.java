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

/** The rules, as n3 of five nodes follows them. */
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

    private static ProtocolFixture<State, Message> hoping() {
        return asking().receives(new Answer(), n(4));
    }

    private static ProtocolFixture<State, Message> following() {
        return newcomer().receives(new Coordinator(1, new Since(0)), n(5));
    }

    private static ProtocolFixture<State, Message> leading() {
        return asking().timesOut(OVERDUE);
    }

    private static ProtocolFixture<State, Message> back() {
        return restarted(3, 5, STABLE, new DurableState(6));
    }

    private static State n3(long term, Uptime uptime, Phase phase) {
        return new State(n(3), OTHERS, term, uptime, phase);
    }

    @Test
    void starts_as_old_as_all_others_and_says_nothing() {
        assertThat(newcomer().effects()).isEmpty();
        assertThat(newcomer().state()).isEqualTo(n3(0, new Since(0), new Newcomer()));
    }

    @Test
    void asks_everybody_since_nobody_knows_who_is_older() {
        assertThat(asking().effects())
                .containsExactly(sendAll(OTHERS, new Election(new Since(0))), setTimer(OVERDUE, ANSWER));
        assertThat(asking().state()).isEqualTo(n3(0, new Since(0), new Asking()));
    }

    @Test
    void holds_one_election_at_a_time_and_none_while_it_leads() {
        for (var busy : List.of(asking(), hoping(), leading())) {
            assertThat(busy.campaigns().effects()).isEmpty();
            assertThat(busy.campaigns().state()).isEqualTo(busy.state());
        }
    }

    @Test
    void comes_back_as_the_youngest_of_all_and_asks() {
        assertThat(back().effects())
                .containsExactly(sendAll(OTHERS, new Election(new JustRestarted())), setTimer(OVERDUE, ANSWER));
        assertThat(back().state()).isEqualTo(n3(6, new JustRestarted(), new Asking()));
        assertThat(STABLE.durableState(back().state())).isEqualTo(new DurableState(6));
    }

    @Test
    void is_as_old_as_the_term_in_which_it_came_back() {
        var n3 = back().receives(new Coordinator(8, new Since(2)), n(1));
        assertThat(n3.effects()).containsExactly(cancelTimer(OVERDUE), elected(1, 8));
        assertThat(n3.state()).isEqualTo(n3(8, new Since(8), new Following(n(1))));
    }

    @Test
    void keeps_its_age_whoever_leads() {
        var n3 = back().receives(new Coordinator(8, new Since(2)), n(1))
                .receives(new Coordinator(9, new Since(3)), n(2));
        assertThat(n3.state()).isEqualTo(n3(9, new Since(8), new Following(n(2))));
    }

    @Test
    void is_older_than_those_that_come_back_while_it_leads() {
        var n3 = back().timesOut(OVERDUE);
        assertThat(n3.effects()).containsExactly(elected(3, 7), sendAll(OTHERS, new Coordinator(7, new Since(6))));
        assertThat(n3.state()).isEqualTo(n3(7, new Since(6), new Leading()));
    }

    @Test
    void answers_a_younger_one_and_asks_too() {
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
    void only_answers_a_younger_one_while_its_own_election_is_running() {
        for (var busy : List.of(asking(), hoping())) {
            var n3 = busy.receives(new Election(new Since(7)), n(5));
            assertThat(n3.effects()).containsExactly(send(5, new Answer()));
            assertThat(n3.state()).isEqualTo(busy.state());
        }
    }

    @Test
    void of_two_that_are_equally_old_the_better_one_is_older() {
        assertThat(asking().receives(new Election(new Since(0)), n(2)).effects())
                .containsExactly(send(2, new Answer()));
        assertThat(asking().receives(new Election(new Since(0)), n(4)).effects())
                .containsExactly(setTimer(OVERDUE, COORDINATOR));
    }

    @Test
    void of_two_that_have_just_come_back_the_better_one_is_older() {
        assertThat(back().receives(new Election(new JustRestarted()), n(2)).effects())
                .containsExactly(send(2, new Answer()));
        assertThat(back().receives(new Election(new JustRestarted()), n(4)).effects())
                .containsExactly(setTimer(OVERDUE, COORDINATOR));
    }

    @Test
    void gives_way_to_an_older_one_that_answers_or_asks() {
        for (var told :
                List.of(asking().receives(new Answer(), n(1)), back().receives(new Election(new Since(5)), n(1)))) {
            assertThat(told.effects()).containsExactly(setTimer(OVERDUE, COORDINATOR));
            assertThat(told.state().phase()).isEqualTo(new AwaitingCoordinator());
        }
    }

    @Test
    void does_not_answer_an_older_one() {
        for (var idle : List.of(newcomer(), hoping(), following())) {
            var n3 = idle.receives(new Election(new Since(0)), n(4));
            assertThat(n3.effects()).isEmpty();
            assertThat(n3.state()).isEqualTo(idle.state());
        }
    }

    @Test
    void takes_no_notice_of_an_answer_that_comes_too_late() {
        for (var done : List.of(newcomer(), hoping(), following(), leading())) {
            assertThat(done.receives(new Answer(), n(4)).effects()).isEmpty();
            assertThat(done.receives(new Answer(), n(4)).state()).isEqualTo(done.state());
        }
    }

    @Test
    void leads_on_whoever_asks() {
        for (Uptime uptime : List.of(new Since(0), new JustRestarted())) {
            var n3 = leading().receives(new Election(uptime), n(5));
            assertThat(n3.effects()).containsExactly(send(5, new Coordinator(1, new Since(0))));
            assertThat(n3.state()).isEqualTo(n3(1, new Since(0), new Leading()));
        }
    }

    @Test
    void leads_if_nobody_answers_in_time() {
        assertThat(leading().effects())
                .containsExactly(elected(3, 1), sendAll(OTHERS, new Coordinator(1, new Since(0))));
        assertThat(leading().state()).isEqualTo(n3(1, new Since(0), new Leading()));
    }

    @Test
    void asks_again_if_whoever_answered_does_not_lead_in_time() {
        var n3 = hoping().timesOut(OVERDUE);
        assertThat(n3.effects())
                .containsExactly(sendAll(OTHERS, new Election(new Since(0))), setTimer(OVERDUE, ANSWER));
        assertThat(n3.state()).isEqualTo(n3(0, new Since(0), new Asking()));
    }

    @Test
    void of_two_leaders_the_older_one_says_so_and_the_younger_one_follows() {
        var older = leading().receives(new Coordinator(1, new Since(0)), n(2));
        assertThat(older.effects()).containsExactly(sendAll(OTHERS, new Coordinator(1, new Since(0))));
        assertThat(older.state()).isEqualTo(n3(1, new Since(0), new Leading()));
        var younger = leading().receives(new Coordinator(4, new Since(0)), n(4));
        assertThat(younger.effects()).containsExactly(cancelTimer(OVERDUE), elected(4, 4));
        assertThat(younger.state()).isEqualTo(n3(4, new Since(0), new Following(n(4))));
    }

    @Test
    void asks_if_its_leader_is_suspected_and_nobody_else() {
        assertThat(following().suspects(4).effects()).isEmpty();
        assertThat(following().suspects(5).effects())
                .containsExactly(sendAll(OTHERS, new Election(new Since(0))), setTimer(OVERDUE, ANSWER));
        assertThat(following().suspects(5).state()).isEqualTo(n3(1, new Since(0), new Asking()));
    }

    @Test
    void lets_those_that_are_back_speak_for_themselves() {
        assertThat(leading().suspects(5).restores(5).effects()).isEmpty();
        assertThat(leading().suspects(5).restores(5).state())
                .isEqualTo(leading().state());
    }
}
