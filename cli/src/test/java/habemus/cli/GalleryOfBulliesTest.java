package habemus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeId;
import habemus.simulate.Outcome;
import habemus.world.Property;
import habemus.world.TraceLine;
import habemus.world.Verdict;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The stories of the bullies, the collecting ring and max-alive end as they are told. */
class GalleryOfBulliesTest {

    private static Performance play(String name) throws IOException {
        var scenario = Scenario.parse(name, Files.readString(Cli.scenarios().resolve(name + ".scenario")));
        return ScenarioPlayer.play(scenario, Output.NONE, new PrintStream(OutputStream.nullOutputStream()))
                .getFirst()
                .performance();
    }

    private static Outcome outcome(String name) throws IOException {
        return play(name).outcome();
    }

    /** Who took the lead, one after the other. */
    private static List<NodeId> leaders(Outcome outcome) {
        return outcome.elected().stream()
                .filter(elected -> elected.node().equals(elected.leader()))
                .map(Outcome.Elected::leader)
                .toList();
    }

    @Test
    void bully_stable_keeps_its_leader_where_bully_changes_it() throws IOException {
        var flapping = outcome("bully-flapping");
        var stable = outcome("bully-stable");
        assertThat(play("bully-flapping").experiment().words().given())
                .isEqualTo(play("bully-stable").experiment().words().given());
        assertThat(leaders(flapping)).containsExactly(n(3), n(2), n(3), n(2), n(3));
        assertThat(flapping.verdicts()).containsEntry(Property.STABILITY, Verdict.VIOLATED);
        assertThat(leaders(stable)).containsExactly(n(3), n(2));
        assertThat(stable.verdicts())
                .containsEntry(Property.STABILITY, Verdict.HOLDS)
                .containsEntry(Property.AGREEMENT, Verdict.HOLDS);
    }

    @Test
    void ring_skip_skips_n3_removes_a_list_and_all_agree() throws IOException {
        var run = play("ring-skip");
        assertThat(run.outcome().elected())
                .extracting(Outcome.Elected::node)
                .containsExactlyInAnyOrder(n(1), n(2), n(4), n(5));
        assertThat(run.outcome().elected()).extracting(Outcome.Elected::leader).containsOnly(n(5));
        assertThat(run.outcome().messages()).isEqualTo(9);
        assertThat(run.recorder().lines().stream().filter(TraceLine.Fared.class::isInstance))
                .isEmpty();
        assertThat(run.outcome().failed()).isFalse();
    }

    @Test
    void max_alive_wrong_has_two_leaders_for_a_while_and_one_in_the_end() throws IOException {
        var outcome = outcome("max-alive-wrong");
        assertThat(outcome.verdicts())
                .containsEntry(Property.UNIQUENESS, Verdict.VIOLATED)
                .containsEntry(Property.AGREEMENT, Verdict.HOLDS);
        assertThat(leaders(outcome)).containsExactly(n(3), n(2));
    }

    @Test
    void bully_efficient_appoints_n3_after_n4_has_crashed() throws IOException {
        var outcome = outcome("bully-efficient-appoints");
        assertThat(leaders(outcome)).containsExactly(n(3));
        assertThat(outcome.failed()).isFalse();
    }

    private static NodeId n(int number) {
        return new NodeId(number);
    }
}
