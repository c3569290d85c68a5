package habemus.election;

import static habemus.ProtocolFixture.cancelTimer;
import static habemus.ProtocolFixture.elected;
import static habemus.ProtocolFixture.joining;
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

/** The rules, at n2 of five nodes unless stated otherwise. */
class TermMajorityTest {

    private static final Duration ELECTION_TIMEOUT = Duration.ofMillis(300);
    private static final Duration HEARTBEAT_INTERVAL = Duration.ofMillis(100);
    private static final NodeSet OTHERS = nodes(1, 3, 4, 5);

    private static TermMajority rules(VoteWeights weights, boolean preVote, boolean transfer) {
        return new TermMajority(weights, preVote, transfer, ELECTION_TIMEOUT, HEARTBEAT_INTERVAL);
    }

    private static final TermMajority DEFAULT = rules(VoteWeights.EQUAL, true, true);
    private static final TermMajority WITHOUT_OPTIONS = rules(VoteWeights.EQUAL, false, false);

    private static <M> Effect<M> electionTimer() {
        return new Effect.SetTimer<>(Timer.ELECTION_TIMEOUT, ELECTION_TIMEOUT, ELECTION_TIMEOUT.multipliedBy(2));
    }

    private static ProtocolFixture<TermState, TermMessage> listening() {
        return node(2, 5, DEFAULT);
    }

    private static ProtocolFixture<TermState, TermMessage> preCandidate() {
        return listening().timesOut(Timer.ELECTION_TIMEOUT);
    }

    private static ProtocolFixture<TermState, TermMessage> candidate() {
        return preCandidate().receives(new PreVoteGranted(0), n(1)).receives(new PreVoteGranted(0), n(3));
    }

    /** The leader of term 1, with the votes of n1, n2 and n4. */
    private static ProtocolFixture<TermState, TermMessage> leading() {
        return candidate().receives(new VoteGranted(1), n(1)).receives(new VoteGranted(1), n(4));
    }

    /** A follower of n5 in term 3. */
    private static ProtocolFixture<TermState, TermMessage> following() {
        return listening().receives(new Heartbeat(3), n(5));
    }

    private static TermState n2(long term, NodeSet vote, TermState.Phase phase) {
        return new TermState(n(2), nodes(1, 2, 3, 4, 5), new DurableState(term, vote), phase);
    }

    @Test
    void a_node_starts_in_term_0_with_a_random_election_timeout() {
        assertThat(listening().effects()).containsExactly(electionTimer());
        assertThat(listening().state()).isEqualTo(n2(0, nodes(), new Listening()));
    }

    @Test
    void a_restarted_node_has_its_term_and_waits_for_the_candidate_with_its_vote() {
        var back = restarted(2, 5, DEFAULT, new DurableState(7, nodes(4)));
        assertThat(back.effects()).containsExactly(electionTimer());
        assertThat(back.state()).isEqualTo(n2(7, nodes(4), new Voted()));
    }

    @Test
    void a_restarted_node_that_voted_for_itself_waits_for_no_candidate() {
        var back = restarted(2, 5, DEFAULT, new DurableState(7, nodes(2)));
        assertThat(back.state()).isEqualTo(n2(7, nodes(2), new Listening()));
    }

    @Test
    void term_and_vote_are_durable() {
        var voted = listening().receives(new RequestVote(4), n(3));
        assertThat(DEFAULT.durableState(voted.state())).isEqualTo(new DurableState(4, nodes(3)));
    }

    @Test
    void after_the_election_timeout_a_node_asks_for_pre_votes_in_its_term() {
        assertThat(preCandidate().effects()).containsExactly(electionTimer(), sendAll(OTHERS, new PreVote(0)));
        assertThat(preCandidate().state()).isEqualTo(n2(0, nodes(), new PreCandidate(nodes(2))));
    }

    @Test
    void a_node_without_a_leader_that_campaigns_asks_for_pre_votes() {
        assertThat(listening().campaigns().effects()).isEqualTo(preCandidate().effects());
    }

    @Test
    void without_pre_vote_a_node_starts_a_new_term_at_once() {
        var candidate = node(2, 5, WITHOUT_OPTIONS).timesOut(Timer.ELECTION_TIMEOUT);
        assertThat(candidate.effects()).containsExactly(electionTimer(), sendAll(OTHERS, new RequestVote(1)));
        assertThat(candidate.state()).isEqualTo(n2(1, nodes(2), new Candidate(nodes(2))));
    }

    @Test
    void a_node_without_a_leader_grants_a_pre_vote_and_keeps_its_term() {
        var granting = listening().receives(new PreVote(6), n(4));
        assertThat(granting.effects()).containsExactly(send(4, new PreVoteGranted(6)));
        assertThat(granting.state()).isEqualTo(listening().state());
    }

    @Test
    void a_node_that_follows_leads_or_has_voted_grants_no_pre_vote() {
        var voted = listening().receives(new RequestVote(1), n(3));
        for (var node : List.of(following(), leading(), voted)) {
            assertThat(node.receives(new PreVote(9), n(4)).effects()).isEmpty();
        }
    }

    @Test
    void a_majority_of_pre_votes_starts_a_new_term() {
        assertThat(preCandidate().receives(new PreVoteGranted(0), n(1)).effects())
                .isEmpty();
        assertThat(candidate().effects()).containsExactly(electionTimer(), sendAll(OTHERS, new RequestVote(1)));
        assertThat(candidate().state()).isEqualTo(n2(1, nodes(2), new Candidate(nodes(2))));
    }

    @Test
    void a_duplicated_pre_vote_counts_once() {
        var twice = preCandidate().receives(new PreVoteGranted(0), n(1)).receives(new PreVoteGranted(0), n(1));
        assertThat(twice.state()).isEqualTo(n2(0, nodes(), new PreCandidate(nodes(1, 2))));
    }

    @Test
    void a_campaign_while_an_election_is_running_changes_nothing() {
        for (var busy :
                List.of(preCandidate(), candidate(), leading(), listening().receives(new RequestVote(1), n(3)))) {
            assertThat(busy.campaigns().effects()).isEmpty();
            assertThat(busy.campaigns().state()).isEqualTo(busy.state());
        }
    }

    @Test
    void a_node_votes_for_the_first_candidate_of_a_newer_term() {
        var voted = listening().receives(new RequestVote(2), n(4));
        assertThat(voted.effects()).containsExactly(electionTimer(), send(4, new VoteGranted(2)));
        assertThat(voted.state()).isEqualTo(n2(2, nodes(4), new Voted()));
    }

    @Test
    void a_node_votes_once_per_term() {
        var asked = listening().receives(new RequestVote(2), n(4)).receives(new RequestVote(2), n(5));
        assertThat(asked.effects()).isEmpty();
        assertThat(asked.state()).isEqualTo(n2(2, nodes(4), new Voted()));
    }

    @Test
    void a_node_repeats_its_vote_for_the_same_candidate() {
        assertThat(listening()
                        .receives(new RequestVote(2), n(4))
                        .receives(new RequestVote(2), n(4))
                        .effects())
                .contains(send(4, new VoteGranted(2)));
    }

    @Test
    void a_follower_does_not_vote_in_the_term_of_its_leader() {
        assertThat(following().receives(new RequestVote(3), n(4)).effects()).isEmpty();
    }

    @Test
    void a_restarted_node_remembers_its_vote() {
        var back = restarted(2, 5, DEFAULT, new DurableState(2, nodes(4)));
        assertThat(back.receives(new RequestVote(2), n(5)).effects()).isEmpty();
        assertThat(back.receives(new RequestVote(2), n(4)).effects()).contains(send(4, new VoteGranted(2)));
    }

    @Test
    void a_candidate_with_a_majority_leads_and_sends_heartbeats() {
        var waiting = candidate().receives(new VoteGranted(1), n(1));
        assertThat(waiting.effects()).isEmpty();
        assertThat(waiting.state()).isEqualTo(n2(1, nodes(2), new Candidate(nodes(1, 2))));
        assertThat(leading().effects())
                .containsExactly(
                        setTimer(Timer.ELECTION_TIMEOUT, ELECTION_TIMEOUT),
                        elected(2, 1),
                        sendAll(OTHERS, new Heartbeat(1)),
                        setTimer(Timer.HEARTBEAT, HEARTBEAT_INTERVAL));
        assertThat(leading().state()).isEqualTo(n2(1, nodes(2), new Leading(nodes())));
    }

    @Test
    void a_majority_is_a_majority_of_the_weight() {
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
    void a_node_without_peers_leads_at_once() {
        assertThat(node(1, 1, DEFAULT).campaigns().effects()).contains(elected(1, 1));
    }

    @Test
    void a_leader_ignores_late_votes() {
        assertThat(leading().receives(new VoteGranted(1), n(5)).state())
                .isEqualTo(leading().state());
    }

    @Test
    void a_leader_sends_heartbeats_at_every_interval() {
        assertThat(leading().timesOut(Timer.HEARTBEAT).effects())
                .containsExactly(sendAll(OTHERS, new Heartbeat(1)), setTimer(Timer.HEARTBEAT, HEARTBEAT_INTERVAL));
    }

    @Test
    void a_node_follows_the_sender_of_a_heartbeat_and_acknowledges_it() {
        assertThat(following().effects()).containsExactly(electionTimer(), elected(5, 3), send(5, new HeartbeatAck(3)));
        assertThat(following().state()).isEqualTo(n2(3, nodes(), new Following(n(5))));
    }

    @Test
    void every_heartbeat_resets_the_election_timer() {
        assertThat(following().receives(new Heartbeat(3), n(5)).effects())
                .containsExactly(electionTimer(), send(5, new HeartbeatAck(3)));
    }

    @Test
    void a_follower_without_heartbeats_drops_its_leader_and_asks_for_pre_votes() {
        assertThat(following().timesOut(Timer.ELECTION_TIMEOUT).effects())
                .containsExactly(lost(), electionTimer(), sendAll(OTHERS, new PreVote(3)));
    }

    @Test
    void a_leader_with_a_majority_of_acknowledgements_stays_leader() {
        var heard = leading().receives(new HeartbeatAck(1), n(3)).receives(new HeartbeatAck(1), n(5));
        assertThat(heard.state()).isEqualTo(n2(1, nodes(2), new Leading(nodes(3, 5))));
        var counted = heard.timesOut(Timer.ELECTION_TIMEOUT);
        assertThat(counted.effects()).containsExactly(setTimer(Timer.ELECTION_TIMEOUT, ELECTION_TIMEOUT));
        assertThat(counted.state()).isEqualTo(leading().state());
    }

    @Test
    void a_leader_without_a_majority_of_acknowledgements_steps_down() {
        var alone = leading().receives(new HeartbeatAck(1), n(3)).timesOut(Timer.ELECTION_TIMEOUT);
        assertThat(alone.effects()).containsExactly(electionTimer(), cancelTimer(Timer.HEARTBEAT), lost());
        assertThat(alone.state()).isEqualTo(n2(1, nodes(2), new Listening()));
    }

    @Test
    void a_node_adopts_a_newer_term_and_drops_its_leader() {
        assertThat(following().receives(new NewerTerm(8), n(4)).effects()).containsExactly(lost());
        assertThat(following().receives(new NewerTerm(8), n(4)).state()).isEqualTo(n2(8, nodes(), new Listening()));
        var deposed = leading().receives(new Heartbeat(2), n(4));
        assertThat(deposed.effects())
                .containsExactly(
                        electionTimer(),
                        cancelTimer(Timer.HEARTBEAT),
                        lost(),
                        electionTimer(),
                        elected(4, 2),
                        send(4, new HeartbeatAck(2)));
    }

    @Test
    void a_request_of_an_older_term_is_answered_with_the_newer_term() {
        for (TermMessage old : List.of(new PreVote(2), new RequestVote(2), new Heartbeat(2))) {
            assertThat(following().receives(old, n(1)).effects()).containsExactly(send(1, new NewerTerm(3)));
            assertThat(following().receives(old, n(1)).state())
                    .isEqualTo(following().state());
        }
    }

    @Test
    void other_messages_of_older_terms_are_ignored() {
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
    void a_follower_that_campaigns_asks_its_leader_to_step_down() {
        assertThat(following().campaigns().effects()).containsExactly(send(5, new TransferLeadership(3)));
        assertThat(following().campaigns().state()).isEqualTo(following().state());
    }

    @Test
    void without_transfer_a_follower_that_campaigns_starts_a_new_term() {
        var candidate =
                node(2, 5, WITHOUT_OPTIONS).receives(new Heartbeat(3), n(5)).campaigns();
        assertThat(candidate.effects()).containsExactly(lost(), electionTimer(), sendAll(OTHERS, new RequestVote(4)));
    }

    @Test
    void a_leader_steps_down_before_it_transfers_the_leadership() {
        assertThat(leading().receives(new TransferLeadership(1), n(3)).effects())
                .containsExactly(electionTimer(), cancelTimer(Timer.HEARTBEAT), lost(), send(3, new TimeoutNow(1)));
    }

    @Test
    void a_follower_ignores_a_leadership_transfer() {
        assertThat(following().receives(new TransferLeadership(3), n(4)).effects())
                .isEmpty();
    }

    @Test
    void the_target_of_a_transfer_starts_a_new_term_without_pre_votes() {
        assertThat(following().receives(new TimeoutNow(3), n(5)).effects())
                .containsExactly(lost(), electionTimer(), sendAll(OTHERS, new RequestVote(4)));
    }

    @Test
    void a_leader_steps_down_when_the_view_changes() {
        var n2 = leading().learnsThatJoined(6, 1);
        assertThat(n2.state().phase()).isEqualTo(new Listening());
        assertThat(n2.state().term()).isEqualTo(1_000_000_000);
        assertThat(n2.effects()).contains(lost());
    }

    @Test
    void a_majority_counts_the_members_of_the_view() {
        var n2 = node(2, 2, WITHOUT_OPTIONS)
                .learnsThatJoined(3, 1)
                .learnsThatJoined(4, 2)
                .campaigns();
        var oneVote = n2.receives(new VoteGranted(2_000_000_001), n(1));
        assertThat(oneVote.state().phase()).isEqualTo(new Candidate(nodes(1, 2)));
        assertThat(oneVote.receives(new VoteGranted(2_000_000_001), n(4))
                        .state()
                        .phase())
                .isInstanceOf(Leading.class);
        var alone = node(2, 2, WITHOUT_OPTIONS).learnsThatLeft(1, 1).campaigns();
        assertThat(alone.state().phase()).isInstanceOf(Leading.class);
    }

    @Test
    void a_node_ignores_the_messages_of_a_view_that_it_does_not_know() {
        var n2 = listening().receives(new RequestVote(1_000_000_001), n(6));
        assertThat(n2.effects()).isEmpty();
        assertThat(n2.state().term()).isZero();
    }

    @Test
    void a_vote_of_an_earlier_view_does_not_count() {
        var n2 = candidate().learnsThatLeft(5, 1).campaigns().receives(new VoteGranted(1), n(1));
        assertThat(n2.state().phase()).isNotInstanceOf(Leading.class);
    }

    @Test
    void a_new_member_starts_in_the_terms_of_its_view() {
        assertThat(joining(6, 6, 3, DEFAULT).state().term()).isEqualTo(3_000_000_000L);
    }
}
