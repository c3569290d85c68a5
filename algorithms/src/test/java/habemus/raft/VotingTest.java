package habemus.raft;

import static habemus.ProtocolFixture.cancelTimer;
import static habemus.ProtocolFixture.elected;
import static habemus.ProtocolFixture.lost;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.nodes;
import static habemus.ProtocolFixture.reply;
import static habemus.ProtocolFixture.restarted;
import static habemus.ProtocolFixture.send;
import static habemus.ProtocolFixture.sendAll;
import static habemus.ProtocolFixture.setTimer;
import static habemus.raft.RaftFixture.ELECTION_TIMEOUT;
import static habemus.raft.RaftFixture.HEARTBEAT_INTERVAL;
import static habemus.raft.RaftFixture.RAFT;
import static habemus.raft.RaftFixture.START;
import static habemus.raft.RaftFixture.WITHOUT_OPTIONS;
import static habemus.raft.RaftFixture.ack;
import static habemus.raft.RaftFixture.append;
import static habemus.raft.RaftFixture.candidateAfter;
import static habemus.raft.RaftFixture.electionTimer;
import static habemus.raft.RaftFixture.entry;
import static habemus.raft.RaftFixture.follower;
import static habemus.raft.RaftFixture.followerWith;
import static habemus.raft.RaftFixture.following;
import static habemus.raft.RaftFixture.id;
import static habemus.raft.RaftFixture.leader;
import static habemus.raft.RaftFixture.leaderAfter;
import static habemus.raft.RaftFixture.leading;
import static habemus.raft.RaftFixture.log;
import static habemus.raft.RaftFixture.newLeader;
import static habemus.raft.RaftFixture.noOp;
import static habemus.raft.RaftFixture.propose;
import static habemus.raft.RaftFixture.raft;
import static habemus.raft.RaftFixture.rejected;
import static habemus.raft.RaftFixture.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.election.VoteWeights;
import habemus.protocol.ByteString;
import habemus.protocol.EntryId;
import habemus.protocol.LogCall;
import habemus.protocol.LogReply;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.raft.RaftMessage.AppendAck;
import habemus.raft.RaftMessage.AppendEntries;
import habemus.raft.RaftMessage.AppendRejected;
import habemus.raft.RaftMessage.CommitTo;
import habemus.raft.RaftMessage.InstallSnapshot;
import habemus.raft.RaftMessage.NewerTerm;
import habemus.raft.RaftMessage.PreVote;
import habemus.raft.RaftMessage.PreVoteGranted;
import habemus.raft.RaftMessage.RequestVote;
import habemus.raft.RaftMessage.SnapshotAck;
import habemus.raft.RaftMessage.TimeoutNow;
import habemus.raft.RaftMessage.VoteGranted;
import habemus.raft.RaftState.Role;
import habemus.raft.RaftState.Timer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of {@link Voting}, and of {@link Raft#receive} about terms, at n1 of three nodes. */
class VotingTest {

    private static final NodeSet OTHERS = nodes(2, 3);

    private static RequestVote request(long term, EntryId last) {
        return new RequestVote(term, last, false);
    }

    // ---- terms ----

    @Test
    void a_node_starts_in_term_0_with_an_empty_log_and_a_random_election_timeout() {
        assertThat(started().effects()).containsExactly(electionTimer());
        assertThat(started().state().term()).isZero();
        assertThat(started().state().role()).isEqualTo(new Role.Listening());
        assertThat(log(started())).isEmpty();
        assertThat(started().state().configuration().voters()).isEqualTo(nodes(1, 2, 3));
    }

    static Stream<RaftMessage> answers() {
        return Stream.of(
                new PreVoteGranted(2),
                new VoteGranted(2),
                new AppendAck(2, 1, 9),
                new AppendRejected(2, 0, START, 9),
                new SnapshotAck(2, START, 9, 9),
                new NewerTerm(2));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void an_answer_of_an_older_term_is_ignored(RaftMessage answer) {
        var inTerm2 = started().receives(new NewerTerm(2), n(3));
        var preCandidate = inTerm2.receives(new NewerTerm(3), n(3)).timesOut(Timer.ELECTION_TIMEOUT);
        for (var node : List.of(preCandidate, candidateAfter(2, inTerm2), leaderAfter(2, inTerm2))) {
            assertThat(node.receives(answer, n(3)).effects()).isEmpty();
            assertThat(node.receives(answer, n(3)).state()).isEqualTo(node.state());
        }
    }

    static Stream<RaftMessage> requests() {
        return Stream.of(
                new PreVote(2, id(9, 2)),
                request(2, id(9, 2)),
                append(2, START, 0, entry(2, "a")),
                new CommitTo(2, 9),
                new InstallSnapshot(2, id(9, 2), started().state().configuration(), 0, ByteString.EMPTY, true, 0),
                new TimeoutNow(2));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void a_request_of_an_older_term_changes_nothing_and_is_answered_with_the_newer_term(RaftMessage request) {
        var inTerm3 = started().receives(new NewerTerm(3), n(3));
        for (var node : List.of(inTerm3, leaderAfter(3, inTerm3))) {
            long term = node.state().term();
            assertThat(node.receives(request, n(2)).effects()).containsExactly(send(2, new NewerTerm(term)));
            assertThat(node.receives(request, n(2)).state()).isEqualTo(node.state());
        }
    }

    @Test
    void a_higher_term_is_durable_without_a_vote() {
        var adopted = candidateAfter(0, started()).receives(new NewerTerm(7), n(3));
        assertThat(adopted.effects()).isEmpty();
        assertThat(RAFT.durableState(adopted.state()).term()).isEqualTo(7);
        assertThat(RAFT.durableState(adopted.state()).vote()).isEqualTo(NodeSet.NONE);
        assertThat(adopted.state().role()).isEqualTo(new Role.Listening());
    }

    @Test
    void a_leader_of_an_older_term_that_wakes_up_is_deposed() {
        var deposed = leader().receives(new NewerTerm(2), n(3));
        assertThat(deposed.effects()).containsExactly(electionTimer(), cancelTimer(Timer.HEARTBEAT), lost());
        assertThat(deposed.state().role()).isEqualTo(new Role.Listening());
        var follows = leader().receives(append(2, id(1, 1), 0), n(3));
        assertThat(follows.effects())
                .containsExactly(
                        electionTimer(),
                        cancelTimer(Timer.HEARTBEAT),
                        lost(),
                        electionTimer(),
                        elected(3, 2),
                        send(3, ack(2, 1)));
    }

    @Test
    void a_second_leader_in_one_term_is_a_bug() {
        assertThatThrownBy(() -> follower().receives(append(1, START, 0), n(3)))
                .isInstanceOf(ProtocolBug.class)
                .hasMessageContaining("a second leader in one term");
    }

    // ---- pre-votes ----

    @Test
    void after_the_election_timeout_a_node_asks_for_pre_votes_in_its_term() {
        var preCandidate = started().timesOut(Timer.ELECTION_TIMEOUT);
        assertThat(preCandidate.effects()).containsExactly(electionTimer(), sendAll(OTHERS, new PreVote(0, START)));
        assertThat(preCandidate.state().term()).isZero();
        assertThat(preCandidate.state().role()).isEqualTo(new Role.PreCandidate(nodes(1)));
    }

    @Test
    void a_follower_whose_election_timeout_expires_has_no_leader() {
        assertThat(followerWith(1).timesOut(Timer.ELECTION_TIMEOUT).effects())
                .containsExactly(lost(), electionTimer(), sendAll(OTHERS, new PreVote(1, id(1, 1))));
    }

    @Test
    void a_node_without_a_leader_grants_a_pre_vote_and_keeps_its_state() {
        var granting = started().receives(new PreVote(6, START), n(2));
        assertThat(granting.effects()).containsExactly(send(2, new PreVoteGranted(6)));
        assertThat(granting.state()).isEqualTo(started().state());
    }

    @Test
    void a_node_that_leads_or_hears_a_leader_grants_no_pre_vote() {
        for (var node : List.of(leader(), follower())) {
            assertThat(node.receives(new PreVote(6, id(9, 6)), n(3)).effects()).isEmpty();
            assertThat(node.receives(new PreVote(6, id(9, 6)), n(3)).state()).isEqualTo(node.state());
        }
    }

    @Test
    void a_node_grants_no_pre_vote_to_a_candidate_with_an_older_log() {
        var listening = followerWith(1, 1).receives(new NewerTerm(2), n(3));
        assertThat(listening.receives(new PreVote(2, id(1, 1)), n(3)).effects()).isEmpty();
        assertThat(listening.receives(new PreVote(2, id(2, 1)), n(3)).effects())
                .containsExactly(send(3, new PreVoteGranted(2)));
    }

    @Test
    void a_majority_of_pre_votes_starts_a_new_term() {
        var candidate = candidateAfter(0, started());
        assertThat(candidate.effects()).containsExactly(electionTimer(), sendAll(OTHERS, request(1, START)));
        assertThat(candidate.state().role()).isEqualTo(new Role.Candidate(nodes(1)));
    }

    @Test
    void a_duplicated_pre_vote_counts_once() {
        var five = node(1, 5, RAFT).timesOut(Timer.ELECTION_TIMEOUT);
        var twice = five.receives(new PreVoteGranted(0), n(2)).receives(new PreVoteGranted(0), n(2));
        assertThat(twice.effects()).isEmpty();
        assertThat(twice.state().role()).isEqualTo(new Role.PreCandidate(nodes(1, 2)));
    }

    @Test
    void a_pre_vote_that_got_no_answers_is_repeated_after_the_next_timeout() {
        var again = started().timesOut(Timer.ELECTION_TIMEOUT).timesOut(Timer.ELECTION_TIMEOUT);
        assertThat(again.effects()).containsExactly(electionTimer(), sendAll(OTHERS, new PreVote(0, START)));
    }

    @Test
    void a_pre_vote_that_a_leader_interrupted_is_possible_again() {
        var interrupted = started().timesOut(Timer.ELECTION_TIMEOUT).receives(append(1, START, 0), n(2));
        assertThat(following(interrupted).leader()).isEqualTo(n(2));
        assertThat(interrupted.timesOut(Timer.ELECTION_TIMEOUT).effects())
                .containsExactly(lost(), electionTimer(), sendAll(OTHERS, new PreVote(1, START)));
    }

    @Test
    void a_higher_term_in_the_answer_to_a_pre_vote_is_adopted() {
        var behind = started().timesOut(Timer.ELECTION_TIMEOUT).receives(new NewerTerm(5), n(2));
        assertThat(behind.effects()).isEmpty();
        assertThat(behind.state().term()).isEqualTo(5);
        assertThat(behind.timesOut(Timer.ELECTION_TIMEOUT).effects())
                .containsExactly(electionTimer(), sendAll(OTHERS, new PreVote(5, START)));
    }

    @Test
    void without_a_majority_the_term_does_not_grow() {
        var candidate = candidateAfter(0, started()).timesOut(Timer.ELECTION_TIMEOUT);
        assertThat(candidate.effects()).containsExactly(electionTimer(), sendAll(OTHERS, new PreVote(1, START)));
        assertThat(candidate.timesOut(Timer.ELECTION_TIMEOUT).state().term()).isEqualTo(1);
    }

    @Test
    void without_pre_vote_a_node_starts_a_new_term_at_once() {
        var candidate = node(1, 3, WITHOUT_OPTIONS).timesOut(Timer.ELECTION_TIMEOUT);
        assertThat(candidate.effects()).containsExactly(electionTimer(), sendAll(OTHERS, request(1, START)));
    }

    // ---- votes ----

    @Test
    void a_candidate_has_its_own_vote_on_disk() {
        var disk = RAFT.durableState(candidateAfter(0, started()).state());
        assertThat(disk.term()).isEqualTo(1);
        assertThat(disk.vote()).isEqualTo(nodes(1));
    }

    @Test
    void a_node_votes_for_the_first_candidate_of_a_newer_term_and_has_the_vote_on_disk() {
        var voted = started().receives(request(4, START), n(3));
        assertThat(voted.effects()).containsExactly(electionTimer(), send(3, new VoteGranted(4)));
        assertThat(RAFT.durableState(voted.state()).term()).isEqualTo(4);
        assertThat(RAFT.durableState(voted.state()).vote()).isEqualTo(nodes(3));
    }

    @Test
    void a_node_votes_once_a_term() {
        var asked = started().receives(request(4, START), n(3)).receives(request(4, id(9, 3)), n(2));
        assertThat(asked.effects()).isEmpty();
        assertThat(asked.state().durable().vote()).isEqualTo(nodes(3));
    }

    @Test
    void a_node_repeats_its_vote_for_the_same_candidate() {
        var asked = started().receives(request(4, START), n(3)).receives(request(4, START), n(3));
        assertThat(asked.effects()).containsExactly(electionTimer(), send(3, new VoteGranted(4)));
    }

    @Test
    void a_restarted_node_remembers_its_vote() {
        var voted = started().receives(request(4, START), n(3));
        var back = restarted(1, 3, RAFT, RAFT.durableState(voted.state()));
        assertThat(back.effects()).containsExactly(electionTimer());
        assertThat(back.receives(request(4, START), n(2)).effects()).isEmpty();
        assertThat(back.receives(request(4, START), n(3)).effects())
                .containsExactly(electionTimer(), send(3, new VoteGranted(4)));
    }

    @Test
    void a_candidate_does_not_vote_for_another_one_of_its_term() {
        assertThat(candidateAfter(0, started())
                        .receives(request(1, id(9, 0)), n(3))
                        .effects())
                .isEmpty();
    }

    @Test
    void a_follower_does_not_vote_in_the_term_of_its_leader() {
        assertThat(follower().receives(request(1, id(9, 1)), n(3)).effects()).isEmpty();
    }

    @Test
    void a_node_adopts_the_term_of_a_candidate_with_a_shorter_log_without_voting() {
        var listening = followerWith(1, 1).timesOut(Timer.ELECTION_TIMEOUT);
        var asked = listening.receives(request(2, id(1, 1)), n(3));
        assertThat(asked.effects()).isEmpty();
        assertThat(asked.state().term()).isEqualTo(2);
        assertThat(asked.state().durable().vote()).isEqualTo(NodeSet.NONE);
    }

    @Test
    void a_later_last_term_wins_over_a_longer_log() {
        var withTerm2 = followerWith(1, 2).timesOut(Timer.ELECTION_TIMEOUT);
        assertThat(withTerm2.receives(request(3, id(9, 1)), n(3)).effects()).isEmpty();
        var withTerm1 = followerWith(1, 1, 1).timesOut(Timer.ELECTION_TIMEOUT);
        assertThat(withTerm1.receives(request(3, id(2, 2)), n(3)).effects())
                .containsExactly(electionTimer(), send(3, new VoteGranted(3)));
    }

    @Test
    void a_candidate_with_a_majority_leads_and_appends_an_entry_of_its_term() {
        var leader = newLeader();
        var first = append(1, START, 0, noOp(1));
        assertThat(leader.effects())
                .containsExactly(
                        setTimer(Timer.ELECTION_TIMEOUT, ELECTION_TIMEOUT),
                        setTimer(Timer.HEARTBEAT, HEARTBEAT_INTERVAL),
                        elected(1, 1),
                        send(2, first),
                        send(3, first));
        assertThat(leading(leader).firstIndex()).isEqualTo(1);
    }

    @Test
    void a_leader_leads_once_however_many_votes_follow() {
        var third = newLeader().receives(new VoteGranted(1), n(3));
        assertThat(third.effects()).isEmpty();
        assertThat(third.state()).isEqualTo(newLeader().state());
    }

    @Test
    void a_late_vote_counts_in_no_later_term() {
        var inTerm2 = candidateAfter(1, candidateAfter(0, started()));
        assertThat(inTerm2.receives(new VoteGranted(1), n(3)).effects()).isEmpty();
        assertThat(inTerm2.receives(new VoteGranted(1), n(3)).state()).isEqualTo(inTerm2.state());
    }

    @Test
    void a_duplicated_vote_counts_once() {
        var five = node(1, 5, RAFT)
                .timesOut(Timer.ELECTION_TIMEOUT)
                .receives(new PreVoteGranted(0), n(2))
                .receives(new PreVoteGranted(0), n(3));
        var twice = five.receives(new VoteGranted(1), n(2)).receives(new VoteGranted(1), n(2));
        assertThat(twice.effects()).isEmpty();
        assertThat(twice.state().role()).isEqualTo(new Role.Candidate(nodes(1, 2)));
    }

    @Test
    void the_vote_of_a_node_that_is_no_voter_does_not_count() {
        var candidate = candidateAfter(0, started()).receives(new VoteGranted(1), n(9));
        assertThat(candidate.effects()).isEmpty();
        assertThat(candidate.state().role()).isEqualTo(new Role.Candidate(nodes(1, 9)));
    }

    @Test
    void a_node_that_is_no_voter_does_not_campaign() {
        var outside = node(1, 3, raft(nodes(2, 3), VoteWeights.EQUAL));
        assertThat(outside.timesOut(Timer.ELECTION_TIMEOUT).effects()).containsExactly(electionTimer());
        assertThat(outside.timesOut(Timer.ELECTION_TIMEOUT).state()).isEqualTo(outside.state());
        assertThat(outside.receives(new TimeoutNow(0), n(2)).effects()).isEmpty();
    }

    @Test
    void a_node_that_is_no_voter_yet_may_vote() {
        var outside = node(1, 3, raft(nodes(2, 3), VoteWeights.EQUAL));
        assertThat(outside.receives(request(1, START), n(2)).effects())
                .containsExactly(electionTimer(), send(2, new VoteGranted(1)));
    }

    @Test
    void a_single_voter_elects_itself() {
        var alone = node(1, 1, RAFT).timesOut(Timer.ELECTION_TIMEOUT);
        assertThat(alone.effects())
                .containsExactly(
                        electionTimer(),
                        electionTimer(),
                        setTimer(Timer.ELECTION_TIMEOUT, ELECTION_TIMEOUT),
                        setTimer(Timer.HEARTBEAT, HEARTBEAT_INTERVAL),
                        elected(1, 1));
    }

    @Test
    void a_candidate_with_more_than_half_of_the_weight_leads() {
        var heavy = raft(NodeSet.NONE, VoteWeights.parse("3,1,1"));
        assertThat(leading(node(1, 3, heavy).timesOut(Timer.ELECTION_TIMEOUT)).firstIndex())
                .isEqualTo(1);
        var light = raft(NodeSet.NONE, VoteWeights.parse("1,3,1"));
        var candidate = node(1, 3, light).timesOut(Timer.ELECTION_TIMEOUT).receives(new PreVoteGranted(0), n(2));
        assertThat(candidate.receives(new VoteGranted(1), n(3)).effects()).isEmpty();
        assertThat(candidate.receives(new VoteGranted(1), n(2)).effects()).contains(elected(1, 1));
    }

    @Test
    void a_candidate_follows_the_leader_of_its_term() {
        var follows = candidateAfter(0, started()).receives(append(1, START, 0), n(3));
        assertThat(follows.effects()).containsExactly(electionTimer(), elected(3, 1), send(3, ack(1, 0)));
        assertThat(following(follows).leader()).isEqualTo(n(3));
    }

    @Test
    void an_entry_that_is_synced_after_a_vote_in_a_later_term_is_not_acknowledged() {
        var unsynced = follower().receives(append(1, START, 0, entry(1, "a")), n(2));
        var voted = unsynced.timesOut(Timer.ELECTION_TIMEOUT).receives(request(2, id(1, 1)), n(3));
        assertThat(voted.effects()).containsExactly(electionTimer(), send(3, new VoteGranted(2)));
        assertThat(voted.syncs(id(1, 1)).effects()).isEmpty();
        assertThat(voted.syncs(id(1, 1)).state().durable().syncedIndex()).isEqualTo(1);
    }

    // ---- check quorum ----

    @Test
    void a_node_that_leads_or_hears_a_leader_ignores_candidates_of_a_newer_term() {
        for (var node : List.of(leader(), follower())) {
            assertThat(node.receives(request(9, id(9, 8)), n(3)).effects()).isEmpty();
            assertThat(node.receives(request(9, id(9, 8)), n(3)).state()).isEqualTo(node.state());
        }
    }

    @Test
    void a_candidate_that_the_leader_asked_for_deposes_the_leader() {
        var asked = leader().receives(new RequestVote(2, id(1, 1), true), n(3));
        assertThat(asked.effects())
                .containsExactly(
                        electionTimer(),
                        cancelTimer(Timer.HEARTBEAT),
                        lost(),
                        electionTimer(),
                        send(3, new VoteGranted(2)));
    }

    @Test
    void without_check_quorum_any_candidate_of_a_newer_term_deposes_the_leader() {
        var follower = node(1, 3, WITHOUT_OPTIONS).receives(append(1, START, 0), n(2));
        assertThat(follower.receives(request(2, START), n(3)).effects())
                .containsExactly(lost(), electionTimer(), send(3, new VoteGranted(2)));
    }

    @Test
    void a_leader_that_hears_no_majority_for_an_election_timeout_steps_down() {
        var silent = leader().timesOut(Timer.ELECTION_TIMEOUT).timesOut(Timer.ELECTION_TIMEOUT);
        assertThat(silent.effects()).containsExactly(electionTimer(), cancelTimer(Timer.HEARTBEAT), lost());
        assertThat(silent.state().role()).isEqualTo(new Role.Listening());
    }

    @Test
    void a_leader_that_hears_a_majority_goes_on() {
        var heard = leader().timesOut(Timer.ELECTION_TIMEOUT);
        assertThat(heard.effects()).containsExactly(setTimer(Timer.ELECTION_TIMEOUT, ELECTION_TIMEOUT));
        assertThat(leading(heard).heard()).isEqualTo(NodeSet.NONE);
        var again = heard.receives(ack(1, 1), n(3)).timesOut(Timer.ELECTION_TIMEOUT);
        assertThat(again.effects()).containsExactly(setTimer(Timer.ELECTION_TIMEOUT, ELECTION_TIMEOUT));
    }

    @Test
    void without_check_quorum_a_leader_leads_until_it_hears_a_newer_term() {
        var leader = node(1, 3, WITHOUT_OPTIONS)
                .timesOut(Timer.ELECTION_TIMEOUT)
                .receives(new VoteGranted(1), n(2))
                .timesOut(Timer.ELECTION_TIMEOUT);
        assertThat(leader.effects()).containsExactly(setTimer(Timer.ELECTION_TIMEOUT, ELECTION_TIMEOUT));
    }

    // ---- transfer ----

    @Test
    void a_leader_hands_over_at_once_to_a_voter_that_has_its_whole_log() {
        var handing = leader().calls(new LogCall.TransferLeadership(n(3)));
        assertThat(handing.effects()).containsExactly(send(3, new TimeoutNow(1)));
    }

    @Test
    void a_leader_brings_the_next_leader_up_to_date_first() {
        var behind = leader().calls(propose(7, "a")).calls(new LogCall.TransferLeadership(n(3)));
        assertThat(behind.effects()).isEmpty();
        assertThat(behind.receives(ack(1, 2), n(3)).effects()).containsExactly(send(3, new TimeoutNow(1)));
    }

    @Test
    void a_leader_that_hands_over_rejects_proposals() {
        var handing = leader().calls(new LogCall.TransferLeadership(n(3))).calls(propose(7, "a", "b"));
        var reason = rejected(LogReply.Reason.TRANSFER_IN_PROGRESS, nodes(1));
        assertThat(handing.effects()).containsExactly(reply(7, reason), reply(8, reason));
        assertThat(log(handing)).containsExactly(noOp(1));
    }

    @Test
    void a_transfer_that_takes_longer_than_an_election_timeout_is_cancelled() {
        var cancelled = leader().calls(new LogCall.TransferLeadership(n(3))).timesOut(Timer.ELECTION_TIMEOUT);
        assertThat(leading(cancelled).transferTo()).isEqualTo(NodeSet.NONE);
        assertThat(cancelled.calls(propose(7, "a")).effects())
                .containsExactly(
                        send(2, append(1, id(1, 1), 1, entry(1, "a"))), send(3, append(1, id(1, 1), 1, entry(1, "a"))));
    }

    @Test
    void only_a_leader_hands_over_and_only_to_another_voter() {
        for (int to : List.of(1, 9)) {
            var call = leader().calls(new LogCall.TransferLeadership(n(to)));
            assertThat(call.effects()).isEmpty();
            assertThat(call.state()).isEqualTo(leader().state());
        }
        assertThat(follower().calls(new LogCall.TransferLeadership(n(3))).effects())
                .isEmpty();
    }

    @Test
    void the_next_leader_starts_an_election_at_once_and_without_pre_votes() {
        var next = followerWith(1).receives(new TimeoutNow(1), n(2));
        assertThat(next.effects())
                .containsExactly(lost(), electionTimer(), sendAll(OTHERS, new RequestVote(2, id(1, 1), true)));
        assertThat(next.state().role()).isEqualTo(new Role.Candidate(nodes(1)));
    }

    @Test
    void a_node_follows_the_sender_of_a_heartbeat_and_answers_with_its_round() {
        var message = new AppendEntries(1, START, List.of(), 0, 5);
        assertThat(started().receives(message, n(2)).effects())
                .containsExactly(electionTimer(), elected(2, 1), send(2, new AppendAck(1, 0, 5)));
    }
}
