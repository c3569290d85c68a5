package habemus.election;

import static habemus.ProtocolFixture.cancelTimer;
import static habemus.ProtocolFixture.elected;
import static habemus.ProtocolFixture.lost;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.nodes;
import static habemus.ProtocolFixture.restarted;
import static habemus.ProtocolFixture.send;
import static habemus.ProtocolFixture.sendAll;
import static habemus.ProtocolFixture.setTimer;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.ProtocolFixture;
import habemus.election.TermMessage.Heartbeat;
import habemus.election.TermMessage.HeartbeatAck;
import habemus.election.TermMessage.NewerTerm;
import habemus.election.TermMessage.PreVote;
import habemus.election.TermMessage.PreVoteGranted;
import habemus.election.TermMessage.RequestVote;
import habemus.election.TermMessage.TimeoutNow;
import habemus.election.TermMessage.TransferLeadership;
import habemus.election.TermMessage.VoteGranted;
import habemus.election.TermState.DurableState;
import habemus.election.TermState.Phase.Candidate;
import habemus.election.TermState.Phase.Following;
import habemus.election.TermState.Phase.Leading;
import habemus.election.TermState.Phase.Listening;
import habemus.election.TermState.Phase.PreCandidate;
import habemus.election.TermState.Phase.Voted;
import habemus.election.TermState.Timer;
import habemus.protocol.Effect;
import habemus.protocol.NodeSet;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of five nodes we are n2, unless something else is said. */
class TermMajorityTest {

    private static final Duration PATIENCE = Duration.ofMillis(300);
    private static final Duration BEAT = Duration.ofMillis(100);
    private static final NodeSet OTHERS = nodes(1, 3, 4, 5);

    private static TermMajority rules(VoteWeights voteWeights, boolean preVote, boolean transfer) {
        return new TermMajority(voteWeights, preVote, transfer, PATIENCE, BEAT);
    }

    private static final TermMajority STANDARD = rules(VoteWeights.EQUAL, true, true);
    private static final TermMajority BLUNT = rules(VoteWeights.EQUAL, false, false);

    private static <M> Effect<M> listen() {
        return new Effect.SetTimer<>(Timer.ELECTION_TIMEOUT, PATIENCE, PATIENCE.multipliedBy(2));
    }

    private static ProtocolFixture<TermState, TermMessage> listening() {
        return node(2, 5, STANDARD);
    }

    private static ProtocolFixture<TermState, TermMessage> probing() {
        return listening().timesOut(Timer.ELECTION_TIMEOUT);
    }

    private static ProtocolFixture<TermState, TermMessage> standing() {
        return probing().receives(new PreVoteGranted(0), n(1)).receives(new PreVoteGranted(0), n(3));
    }

    /** Of term 1, by the votes of n1, n2 and n4. */
    private static ProtocolFixture<TermState, TermMessage> leading() {
        return standing().receives(new VoteGranted(1), n(1)).receives(new VoteGranted(1), n(4));
    }

    /** Of n5 in term 3. */
    private static ProtocolFixture<TermState, TermMessage> following() {
        return listening().receives(new Heartbeat(3), n(5));
    }

    private static TermState n2(long term, NodeSet vote, TermState.Phase phase) {
        return new TermState(n(2), nodes(1, 2, 3, 4, 5), new DurableState(term, vote), phase);
    }

    @Test
    void starts_in_term_0_and_waits_for_a_leader_for_a_random_time() {
        assertThat(listening().effects()).containsExactly(listen());
        assertThat(listening().state()).isEqualTo(n2(0, nodes(), new Listening()));
    }

    @Test
    void who_comes_back_has_its_term_and_waits_for_the_one_that_has_its_vote() {
        var back = restarted(2, 5, STANDARD, new DurableState(7, nodes(4)));
        assertThat(back.effects()).containsExactly(listen());
        assertThat(back.state()).isEqualTo(n2(7, nodes(4), new Voted()));
    }

    @Test
    void who_comes_back_and_had_voted_for_itself_waits_for_nobody() {
        var back = restarted(2, 5, STANDARD, new DurableState(7, nodes(2)));
        assertThat(back.state()).isEqualTo(n2(7, nodes(2), new Listening()));
    }

    @Test
    void its_term_and_its_vote_are_what_it_remembers() {
        var voted = listening().receives(new RequestVote(4), n(3));
        assertThat(STANDARD.durableState(voted.state())).isEqualTo(new DurableState(4, nodes(3)));
    }

    @Test
    void who_hears_nothing_asks_whether_it_would_be_elected_without_raising_its_term() {
        assertThat(probing().effects()).containsExactly(listen(), sendAll(OTHERS, new PreVote(0)));
        assertThat(probing().state()).isEqualTo(n2(0, nodes(), new PreCandidate(nodes(2))));
    }

    @Test
    void a_campaign_of_who_knows_no_leader_is_the_same() {
        assertThat(listening().campaigns().effects()).isEqualTo(probing().effects());
    }

    @Test
    void without_pre_vote_it_begins_a_new_term_at_once() {
        var standing = node(2, 5, BLUNT).timesOut(Timer.ELECTION_TIMEOUT);
        assertThat(standing.effects()).containsExactly(listen(), sendAll(OTHERS, new RequestVote(1)));
        assertThat(standing.state()).isEqualTo(n2(1, nodes(2), new Candidate(nodes(2))));
    }

    @Test
    void encourages_whoever_asks_if_it_knows_no_leader_and_stays_in_its_term() {
        var encouraging = listening().receives(new PreVote(6), n(4));
        assertThat(encouraging.effects()).containsExactly(send(4, new PreVoteGranted(6)));
        assertThat(encouraging.state()).isEqualTo(listening().state());
    }

    @Test
    void who_follows_or_leads_or_has_just_voted_encourages_nobody() {
        var voted = listening().receives(new RequestVote(1), n(3));
        for (var content : List.of(following(), leading(), voted)) {
            assertThat(content.receives(new PreVote(9), n(4)).effects()).isEmpty();
        }
    }

    @Test
    void who_is_encouraged_by_a_majority_begins_a_new_term_votes_for_itself_and_asks_all() {
        assertThat(probing().receives(new PreVoteGranted(0), n(1)).effects()).isEmpty();
        assertThat(standing().effects()).containsExactly(listen(), sendAll(OTHERS, new RequestVote(1)));
        assertThat(standing().state()).isEqualTo(n2(1, nodes(2), new Candidate(nodes(2))));
    }

    @Test
    void the_same_encouragement_counts_once() {
        var twice = probing().receives(new PreVoteGranted(0), n(1)).receives(new PreVoteGranted(0), n(1));
        assertThat(twice.state()).isEqualTo(n2(0, nodes(), new PreCandidate(nodes(1, 2))));
    }

    @Test
    void a_campaign_while_an_election_is_running_changes_nothing() {
        for (var busy : List.of(probing(), standing(), leading(), listening().receives(new RequestVote(1), n(3)))) {
            assertThat(busy.campaigns().effects()).isEmpty();
            assertThat(busy.campaigns().state()).isEqualTo(busy.state());
        }
    }

    @Test
    void votes_for_the_first_who_asks_in_a_newer_term_and_waits_for_it() {
        var voted = listening().receives(new RequestVote(2), n(4));
        assertThat(voted.effects()).containsExactly(listen(), send(4, new VoteGranted(2)));
        assertThat(voted.state()).isEqualTo(n2(2, nodes(4), new Voted()));
    }

    @Test
    void votes_for_nobody_else_in_that_term() {
        var asked = listening().receives(new RequestVote(2), n(4)).receives(new RequestVote(2), n(5));
        assertThat(asked.effects()).isEmpty();
        assertThat(asked.state()).isEqualTo(n2(2, nodes(4), new Voted()));
    }

    @Test
    void says_again_whom_it_voted_for_if_that_one_asks_again() {
        assertThat(listening()
                        .receives(new RequestVote(2), n(4))
                        .receives(new RequestVote(2), n(4))
                        .effects())
                .contains(send(4, new VoteGranted(2)));
    }

    @Test
    void votes_no_more_in_a_term_that_has_its_leader() {
        assertThat(following().receives(new RequestVote(3), n(4)).effects()).isEmpty();
    }

    @Test
    void who_came_back_has_not_forgotten_its_vote() {
        var back = restarted(2, 5, STANDARD, new DurableState(2, nodes(4)));
        assertThat(back.receives(new RequestVote(2), n(5)).effects()).isEmpty();
        assertThat(back.receives(new RequestVote(2), n(4)).effects()).contains(send(4, new VoteGranted(2)));
    }

    @Test
    void leads_with_the_votes_of_more_than_half_and_tells_all() {
        var waiting = standing().receives(new VoteGranted(1), n(1));
        assertThat(waiting.effects()).isEmpty();
        assertThat(waiting.state()).isEqualTo(n2(1, nodes(2), new Candidate(nodes(1, 2))));
        assertThat(leading().effects())
                .containsExactly(
                        setTimer(Timer.ELECTION_TIMEOUT, PATIENCE),
                        elected(2, 1),
                        sendAll(OTHERS, new Heartbeat(1)),
                        setTimer(Timer.HEARTBEAT, BEAT));
        assertThat(leading().state()).isEqualTo(n2(1, nodes(2), new Leading(nodes())));
    }

    @Test
    void weight_counts_and_not_how_many_they_are() {
        var heavy = node(2, 5, rules(new VoteWeights(List.of(1L, 5L, 1L, 1L, 1L)), true, true));
        assertThat(heavy.timesOut(Timer.ELECTION_TIMEOUT).effects()).contains(elected(2, 1));
        var light = node(2, 5, rules(new VoteWeights(List.of(0L, 1L, 0L, 3L, 1L)), false, true))
                .timesOut(Timer.ELECTION_TIMEOUT)
                .receives(new VoteGranted(1), n(1))
                .receives(new VoteGranted(1), n(3))
                .receives(new VoteGranted(1), n(5));
        assertThat(light.effects()).isEmpty();
        assertThat(light.receives(new VoteGranted(1), n(4)).effects()).contains(elected(2, 1));
    }

    @Test
    void who_is_alone_leads_at_once() {
        assertThat(node(1, 1, STANDARD).campaigns().effects()).contains(elected(1, 1));
    }

    @Test
    void a_vote_that_is_no_longer_needed_changes_nothing() {
        assertThat(leading().receives(new VoteGranted(1), n(5)).state())
                .isEqualTo(leading().state());
    }

    @Test
    void a_leader_says_so_at_every_beat() {
        assertThat(leading().timesOut(Timer.HEARTBEAT).effects())
                .containsExactly(sendAll(OTHERS, new Heartbeat(1)), setTimer(Timer.HEARTBEAT, BEAT));
    }

    @Test
    void who_hears_of_a_leader_follows_it_and_answers() {
        assertThat(following().effects()).containsExactly(listen(), elected(5, 3), send(5, new HeartbeatAck(3)));
        assertThat(following().state()).isEqualTo(n2(3, nodes(), new Following(n(5))));
    }

    @Test
    void who_hears_of_it_again_waits_again() {
        assertThat(following().receives(new Heartbeat(3), n(5)).effects())
                .containsExactly(listen(), send(5, new HeartbeatAck(3)));
    }

    @Test
    void who_hears_no_more_of_its_leader_has_none_and_looks_for_another() {
        assertThat(following().timesOut(Timer.ELECTION_TIMEOUT).effects())
                .containsExactly(lost(), listen(), sendAll(OTHERS, new PreVote(3)));
    }

    @Test
    void a_leader_that_a_majority_answers_goes_on() {
        var heard = leading().receives(new HeartbeatAck(1), n(3)).receives(new HeartbeatAck(1), n(5));
        assertThat(heard.state()).isEqualTo(n2(1, nodes(2), new Leading(nodes(3, 5))));
        var counted = heard.timesOut(Timer.ELECTION_TIMEOUT);
        assertThat(counted.effects()).containsExactly(setTimer(Timer.ELECTION_TIMEOUT, PATIENCE));
        assertThat(counted.state()).isEqualTo(leading().state());
    }

    @Test
    void a_leader_that_no_majority_answers_gives_up() {
        var alone = leading().receives(new HeartbeatAck(1), n(3)).timesOut(Timer.ELECTION_TIMEOUT);
        assertThat(alone.effects()).containsExactly(listen(), cancelTimer(Timer.HEARTBEAT), lost());
        assertThat(alone.state()).isEqualTo(n2(1, nodes(2), new Listening()));
    }

    @Test
    void who_meets_a_newer_term_joins_it_and_forgets_its_leader() {
        assertThat(following().receives(new NewerTerm(8), n(4)).effects()).containsExactly(lost());
        assertThat(following().receives(new NewerTerm(8), n(4)).state()).isEqualTo(n2(8, nodes(), new Listening()));
        var deposed = leading().receives(new Heartbeat(2), n(4));
        assertThat(deposed.effects())
                .containsExactly(
                        listen(),
                        cancelTimer(Timer.HEARTBEAT),
                        lost(),
                        listen(),
                        elected(4, 2),
                        send(4, new HeartbeatAck(2)));
    }

    @Test
    void who_asks_in_an_older_term_is_told_the_newer_one() {
        for (TermMessage old : List.of(new PreVote(2), new RequestVote(2), new Heartbeat(2))) {
            assertThat(following().receives(old, n(1)).effects()).containsExactly(send(1, new NewerTerm(3)));
            assertThat(following().receives(old, n(1)).state())
                    .isEqualTo(following().state());
        }
    }

    @Test
    void what_is_no_question_and_old_is_not_answered() {
        for (TermMessage old : List.of(
                new PreVoteGranted(2),
                new VoteGranted(2),
                new HeartbeatAck(2),
                new TransferLeadership(2),
                new TimeoutNow(2),
                new NewerTerm(2))) {
            assertThat(following().receives(old, n(1)).effects()).isEmpty();
            assertThat(following().receives(old, n(1)).state())
                    .isEqualTo(following().state());
        }
    }

    @Test
    void a_follower_that_wants_to_lead_asks_its_leader_to_make_room() {
        assertThat(following().campaigns().effects()).containsExactly(send(5, new TransferLeadership(3)));
        assertThat(following().campaigns().state()).isEqualTo(following().state());
    }

    @Test
    void without_transfer_a_follower_that_wants_to_lead_begins_a_new_term() {
        var standing = node(2, 5, BLUNT).receives(new Heartbeat(3), n(5)).campaigns();
        assertThat(standing.effects()).containsExactly(lost(), listen(), sendAll(OTHERS, new RequestVote(4)));
    }

    @Test
    void a_leader_that_is_asked_to_make_room_gives_up_before_it_says_so() {
        assertThat(leading().receives(new TransferLeadership(1), n(3)).effects())
                .containsExactly(listen(), cancelTimer(Timer.HEARTBEAT), lost(), send(3, new TimeoutNow(1)));
    }

    @Test
    void who_does_not_lead_cannot_make_room() {
        assertThat(following().receives(new TransferLeadership(3), n(4)).effects())
                .isEmpty();
    }

    @Test
    void for_whom_room_was_made_begins_a_new_term_without_asking_before() {
        assertThat(following().receives(new TimeoutNow(3), n(5)).effects())
                .containsExactly(lost(), listen(), sendAll(OTHERS, new RequestVote(4)));
    }
}
