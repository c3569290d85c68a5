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

/** The rules, as n5 follows them in a ring where n2 comes before it and n7 after it. */
class AnonymousRingTest {

    private static final VoteForMe VOTE = new VoteForMe();
    private static final WeHaveALeader NEWS = new WeHaveALeader();

    private static ProtocolFixture<State, Message> follower() {
        return node(new Neighbourhood(n(5), List.of(n(7), n(2))), new AnonymousRing());
    }

    private static ProtocolFixture<State, Message> candidate() {
        return follower().campaigns();
    }

    private static ProtocolFixture<State, Message> elect() {
        return candidate().receives(VOTE, n(2));
    }

    private static ProtocolFixture<State, Message> inOffice() {
        return elect().receives(NEWS, n(2));
    }

    @Test
    void starts_as_a_follower_and_says_nothing() {
        assertThat(follower().effects()).isEmpty();
        assertThat(follower().state()).isEqualTo(new State(n(5), n(7), new Follower()));
    }

    @Test
    void asks_for_votes_once() {
        assertThat(candidate().effects()).containsExactly(send(7, VOTE));
        assertThat(candidate().state().phase()).isEqualTo(new Candidate());
        assertThat(candidate().campaigns().effects()).isEmpty();
    }

    @Test
    void passes_on_a_vote_and_the_news_as_a_follower() {
        assertThat(follower().receives(VOTE, n(2)).effects()).containsExactly(send(7, VOTE));
        assertThat(follower().receives(NEWS, n(2)).effects()).containsExactly(send(7, NEWS));
        assertThat(follower().receives(NEWS, n(2)).state()).isEqualTo(follower().state());
    }

    @Test
    void is_elected_by_a_vote_be_it_its_own_or_not() {
        assertThat(elect().effects()).containsExactly(send(7, NEWS));
        assertThat(elect().state().phase()).isEqualTo(new Elected());
    }

    @Test
    void takes_office_when_the_news_comes_home_or_another_s_does() {
        assertThat(inOffice().effects()).containsExactly(elected(5, 1));
        assertThat(inOffice().state().phase()).isEqualTo(new InOffice());
    }

    @Test
    void follows_if_another_was_faster() {
        var n5 = candidate().receives(NEWS, n(2));
        assertThat(n5.effects()).containsExactly(send(7, NEWS));
        assertThat(n5.state().phase()).isEqualTo(new Follower());
    }

    @Test
    void tells_whoever_tries_later_that_there_is_a_leader() {
        assertThat(elect().receives(VOTE, n(2)).effects()).containsExactly(send(7, NEWS));
        assertThat(inOffice().receives(VOTE, n(2)).effects()).containsExactly(send(7, NEWS));
        assertThat(inOffice().receives(NEWS, n(2)).effects()).isEmpty();
        assertThat(inOffice().campaigns().effects()).isEmpty();
    }

    @Test
    void is_its_own_neighbour_if_it_is_alone() {
        var n1 = node(Topology.ring(1).neighbourhood(n(1)), new AnonymousRing())
                .campaigns()
                .receives(VOTE, n(1))
                .receives(NEWS, n(1));
        assertThat(n1.effects()).containsExactly(elected(1, 1));
    }

    /** Or else nodes would have names. */
    @ParameterizedTest
    @ValueSource(classes = {AnonymousRing.Message.class, ItaiRodeh.Message.class})
    void no_message_of_nodes_without_names_carries_one(Class<?> messages) {
        assertThat(Arrays.stream(messages.getPermittedSubclasses()).flatMap(AnonymousRingTest::types))
                .doesNotContain(NodeId.class)
                .allMatch(Class::isPrimitive);
    }

    private static Stream<Class<?>> types(Class<?> message) {
        return Arrays.stream(message.getRecordComponents()).map(RecordComponent::getType);
    }
}
