package habemus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.election.TermMessage;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.world.Property;
import habemus.world.TraceLine;
import habemus.world.Verdict;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The stories of elections by terms end as they are told. */
class GalleryOfTermsTest {

    private static List<Performance> play(String name) throws IOException {
        var scenario = Scenario.parse(name, Files.readString(Cli.scenarios().resolve(name + ".scenario")));
        return ScenarioPlayer.play(scenario, Output.NONE, new PrintStream(OutputStream.nullOutputStream())).stream()
                .map(ScenarioPlayer.Played::performance)
                .toList();
    }

    /** Who took office in which term, in this order. */
    private static List<String> leaders(Performance run) {
        return run.outcome().elected().stream()
                .filter(elected -> elected.node().equals(elected.leader()))
                .map(elected -> elected.leader() + " in term " + elected.term())
                .toList();
    }

    private static Stream<TraceLine.Stepped> steps(Performance run, int node) {
        return run.recorder().lines().stream()
                .filter(TraceLine.Stepped.class::isInstance)
                .map(TraceLine.Stepped.class::cast)
                .filter(step -> step.node().equals(new NodeId(node)));
    }

    /** What made this node give up. */
    private static List<Event<?>> losses(Performance run, int node) {
        return steps(run, node)
                .filter(step -> step.effects().contains(new Effect.Lost<>()))
                .<Event<?>>map(TraceLine.Stepped::event)
                .toList();
    }

    @Test
    void term_partition_elects_another_in_the_majority_and_rejects_the_messages_of_the_old_one() throws IOException {
        var run = play("term-partition").getFirst();
        assertThat(leaders(run)).containsExactly("n1 in term 1", "n3 in term 2");
        assertThat(losses(run, 1)).containsExactly(new Event.Received<>(new NodeId(3), new TermMessage.Newer(2)));
        var rejections = Stream.of(3, 4, 5)
                .flatMap(node -> steps(run, node))
                .filter(step -> step.event().equals(new Event.Received<>(new NodeId(1), new TermMessage.Lead(1))))
                .filter(step -> step.at() > 180_000)
                .map(TraceLine.Stepped::effects);
        assertThat(rejections)
                .hasSize(3)
                .allSatisfy(effects -> assertThat(effects).hasToString("[Send[to=n1, message=Newer[term=2]]]"));
        assertThat(run.outcome().elected().reversed().subList(0, 2))
                .allSatisfy(last -> assertThat(last.leader()).isEqualTo(new NodeId(3)));
        assertThat(run.outcome().verdicts())
                .containsEntry(Property.ONE_LEADER_PER_TERM, Verdict.HOLDS)
                .containsEntry(Property.UNIQUENESS, Verdict.VIOLATED);
    }

    @Test
    void term_partition_lets_the_old_leader_give_up_by_itself_if_it_lasts() throws IOException {
        var run = play("term-partition").getLast();
        assertThat(leaders(run)).containsExactly("n1 in term 1", "n3 in term 2");
        assertThat(losses(run, 1)).hasSize(1).first().isInstanceOf(Event.Elapsed.class);
    }

    @Test
    void term_transfer_has_never_two_leaders_and_without_it_there_are() throws IOException {
        var runs = play("term-transfer");
        for (var run : runs) {
            assertThat(leaders(run)).containsExactly("n1 in term 1", "n2 in term 2");
        }
        assertThat(runs.getFirst().outcome().verdicts()).containsEntry(Property.UNIQUENESS, Verdict.HOLDS);
        assertThat(runs.getLast().outcome().verdicts()).containsEntry(Property.UNIQUENESS, Verdict.VIOLATED);
    }

    @Test
    void term_pre_vote_keeps_the_leader_and_without_it_the_leader_is_lost() throws IOException {
        var runs = play("term-pre-vote");
        assertThat(losses(runs.getFirst(), 1)).isEmpty();
        assertThat(losses(runs.getLast(), 1))
                .containsExactly(new Event.Received<>(new NodeId(3), new TermMessage.Newer(2)));
    }

    @Test
    void gossip_twelve_is_led_by_the_best_relay_and_who_asks_later_is_told() throws IOException {
        var run = play("gossip-twelve").getFirst();
        assertThat(leaders(run)).containsExactly("n11 in term 1");
        assertThat(run.outcome().elected())
                .extracting(elected -> elected.node().number())
                .containsExactlyInAnyOrder(1, 2, 4, 6, 11, 12);
    }
}
