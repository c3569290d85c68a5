package habemus.election;

import static habemus.ProtocolFixture.elected;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.send;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.ProtocolFixture;
import habemus.election.AnonymousRing.Message;
import habemus.election.AnonymousRing.Message.VoteForMe;
import habemus.election.AnonymousRing.Message.WeHaveALeader;
import habemus.election.AnonymousRing.Phase.Candidate;
import habemus.election.AnonymousRing.Phase.Elected;
import habemus.election.AnonymousRing.Phase.Follower;
import habemus.election.AnonymousRing.Phase.InOffice;
import habemus.election.AnonymousRing.State;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.world.Topology;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules, at n5 in a ring: the previous node is n2, the next node is n7. */
class AnonymousRingTest {

    private static final VoteForMe VOTE = new VoteForMe();
    private static final WeHaveALeader ANNOUNCEMENT = new WeHaveALeader();

    private static ProtocolFixture<State, Message> follower() {
        return node(new Neighbourhood(n(5), List.of(n(7), n(2))), new AnonymousRing());
    }

    private static ProtocolFixture<State, Message> candidate() {
        return follower().campaigns();
    }

    private static ProtocolFixture<State, Message> electedNode() {
        return candidate().receives(VOTE, n(2));
    }

    private static ProtocolFixture<State, Message> inOffice() {
        return electedNode().receives(ANNOUNCEMENT, n(2));
    }

    @Test
    void a_node_starts_as_a_follower_without_messages() {
        assertThat(follower().effects()).isEmpty();
        assertThat(follower().state()).isEqualTo(new State(n(5), n(7), new Follower()));
    }

    @Test
    void a_candidate_sends_one_vote() {
        assertThat(candidate().effects()).containsExactly(send(7, VOTE));
        assertThat(candidate().state().phase()).isEqualTo(new Candidate());
        assertThat(candidate().campaigns().effects()).isEmpty();
    }

    @Test
    void a_follower_forwards_votes_and_announcements() {
        assertThat(follower().receives(VOTE, n(2)).effects()).containsExactly(send(7, VOTE));
        assertThat(follower().receives(ANNOUNCEMENT, n(2)).effects()).containsExactly(send(7, ANNOUNCEMENT));
        assertThat(follower().receives(ANNOUNCEMENT, n(2)).state())
                .isEqualTo(follower().state());
    }

    @Test
    void a_candidate_is_elected_by_any_vote() {
        assertThat(electedNode().effects()).containsExactly(send(7, ANNOUNCEMENT));
        assertThat(electedNode().state().phase()).isEqualTo(new Elected());
    }

    @Test
    void an_elected_node_leads_when_any_announcement_arrives() {
        assertThat(inOffice().effects()).containsExactly(elected(5, 1));
        assertThat(inOffice().state().phase()).isEqualTo(new InOffice());
    }

    @Test
    void a_candidate_that_receives_an_announcement_follows() {
        var n5 = candidate().receives(ANNOUNCEMENT, n(2));
        assertThat(n5.effects()).containsExactly(send(7, ANNOUNCEMENT));
        assertThat(n5.state().phase()).isEqualTo(new Follower());
    }

    @Test
    void a_leader_answers_later_votes_with_an_announcement() {
        assertThat(electedNode().receives(VOTE, n(2)).effects()).containsExactly(send(7, ANNOUNCEMENT));
        assertThat(inOffice().receives(VOTE, n(2)).effects()).containsExactly(send(7, ANNOUNCEMENT));
        assertThat(inOffice().receives(ANNOUNCEMENT, n(2)).effects()).isEmpty();
        assertThat(inOffice().campaigns().effects()).isEmpty();
    }

    @Test
    void a_ring_of_one_node_elects_it() {
        var n1 = node(Topology.ring(1).neighbourhood(n(1)), new AnonymousRing())
                .campaigns()
                .receives(VOTE, n(1))
                .receives(ANNOUNCEMENT, n(1));
        assertThat(n1.effects()).containsExactly(elected(1, 1));
    }

    @ParameterizedTest
    @ValueSource(classes = {AnonymousRing.Message.class, ItaiRodeh.Message.class})
    void no_message_of_an_anonymous_ring_carries_an_id(Class<?> messages) {
        assertThat(Arrays.stream(messages.getPermittedSubclasses()).flatMap(AnonymousRingTest::types))
                .doesNotContain(NodeId.class)
                .allMatch(Class::isPrimitive);
    }

    private static Stream<Class<?>> types(Class<?> message) {
        return Arrays.stream(message.getRecordComponents()).map(RecordComponent::getType);
    }
}
