package habemus.cli.simulate;

import static habemus.cli.simulate.PlayedScenario.leaders;
import static habemus.cli.simulate.PlayedScenario.play;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.election.TermMessage;
import habemus.lab.run.CompletedRun;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.world.Property;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The scenarios of elections with terms. */
class TermElectionScenariosTest {

    private static Stream<TraceEvent.Step> steps(CompletedRun run, int node) {
        return run.traceBuffer().lines().stream()
                .filter(TraceEvent.Step.class::isInstance)
                .map(TraceEvent.Step.class::cast)
                .filter(step -> step.node().equals(new NodeId(node)));
    }

    /** The event that made this node step down. */
    private static List<Event<?>> losses(CompletedRun run, int node) {
        return steps(run, node)
                .filter(step -> step.effects().contains(new Effect.Lost<>()))
                .<Event<?>>map(TraceEvent.Step::event)
                .toList();
    }

    @Test
    void term_partition_elects_a_leader_in_the_majority_and_rejects_messages_of_the_old_leader() throws IOException {
        var run = play("term-partition").getFirst();
        assertThat(leaders(run)).containsExactly("n1 in term 1", "n3 in term 2");
        assertThat(losses(run, 1)).containsExactly(new Event.Received<>(new NodeId(3), new TermMessage.NewerTerm(2)));
        var rejections = Stream.of(3, 4, 5)
                .flatMap(node -> steps(run, node))
                .filter(step -> step.event().equals(new Event.Received<>(new NodeId(1), new TermMessage.Heartbeat(1))))
                .filter(step -> step.at() > 180_000)
                .map(TraceEvent.Step::effects);
        assertThat(rejections)
                .hasSize(3)
                .allSatisfy(effects -> assertThat(effects).hasToString("[Send[to=n1, message=NewerTerm[term=2]]]"));
        assertThat(run.runResult().announcements().reversed().subList(0, 2))
                .allSatisfy(last -> assertThat(last.leader()).isEqualTo(new NodeId(3)));
        assertThat(run.runResult().verdicts())
                .containsEntry(Property.ONE_LEADER_PER_TERM, Verdict.HOLDS)
                .containsEntry(Property.UNIQUENESS, Verdict.VIOLATED);
    }

    @Test
    void in_a_long_term_partition_the_old_leader_steps_down() throws IOException {
        var run = play("term-partition").getLast();
        assertThat(leaders(run)).containsExactly("n1 in term 1", "n3 in term 2");
        assertThat(losses(run, 1)).hasSize(1).first().isInstanceOf(Event.Timeout.class);
    }

    @Test
    void term_transfer_avoids_two_leaders() throws IOException {
        var runs = play("term-transfer");
        for (var run : runs) {
            assertThat(leaders(run)).containsExactly("n1 in term 1", "n2 in term 2");
        }
        assertThat(runs.getFirst().runResult().verdicts()).containsEntry(Property.UNIQUENESS, Verdict.HOLDS);
        assertThat(runs.getLast().runResult().verdicts()).containsEntry(Property.UNIQUENESS, Verdict.VIOLATED);
    }

    @Test
    void term_pre_vote_keeps_the_leader() throws IOException {
        var runs = play("term-pre-vote");
        assertThat(losses(runs.getFirst(), 1)).isEmpty();
        assertThat(losses(runs.getLast(), 1))
                .containsExactly(new Event.Received<>(new NodeId(3), new TermMessage.NewerTerm(2)));
    }

    @Test
    void gossip_twelve_elects_the_best_relay_and_answers_later_nodes() throws IOException {
        var run = play("gossip-twelve").getFirst();
        assertThat(leaders(run)).containsExactly("n11 in term 1");
        assertThat(run.runResult().announcements())
                .extracting(leaderAnnouncement -> leaderAnnouncement.node().number())
                .containsExactlyInAnyOrder(1, 2, 4, 6, 11, 12);
    }
}
