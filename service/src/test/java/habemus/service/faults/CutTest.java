package habemus.service.faults;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.world.Property;
import habemus.world.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Real processes, each in a network of its own, and wires between them that are cut. */
@Execution(ExecutionMode.CONCURRENT)
class CutTest {

    private static final Duration LONG = Duration.ofSeconds(4);

    @TempDir
    private Path folder;

    @Test
    void a_leader_that_is_cut_off_is_replaced_in_a_later_term_and_follows_when_it_is_back() {
        try (var wires = new Wires(3);
                var theatre = new Theatre(wires, new Theatre.Play("central", "term-majority", folder, true))) {
            theatre.node(1).tell("campaign boss");
            var first = theatre.node(1).awaitLeader(0, 0);
            wires.isolate(first.number());
            var witness = theatre.others(first.number()).getFirst();
            var second = witness.awaitLeader(first.number(), first.term());
            wires.mend();
            assertThat(theatre.node(first.number()).awaitLeader(0, first.term()).term())
                    .isGreaterThanOrEqualTo(second.term());
        }
        assertThat(Theatre.verdict(folder, Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void bullies_on_both_sides_of_a_cut_have_a_leader_each() {
        try (var wires = new Wires(3);
                var theatre = new Theatre(wires, new Theatre.Play("central", "bully", folder, true))) {
            theatre.node(1).tell("campaign boss");
            theatre.node(1).awaitNamed(3);
            wires.isolate(3);
            theatre.node(1).awaitNamed(2);
            wires.mend();
            theatre.node(1).awaitPeers(2);
        }
        assertThat(Theatre.verdict(folder, Property.UNIQUENESS)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void who_hears_nobody_is_given_up_though_it_is_heard() {
        try (var wires = new Wires(3);
                var theatre = new Theatre(wires, new Theatre.Play("central", "term-majority", folder, true))) {
            theatre.node(1).tell("campaign boss");
            var first = theatre.node(1).awaitLeader(0, 0);
            for (var other : theatre.others(first.number())) {
                wires.cut(other.number, first.number());
            }
            var witness = theatre.others(first.number()).getFirst();
            witness.awaitLeader(first.number(), first.term());
            wires.mend();
            theatre.node(first.number()).awaitLeader(0, first.term());
        }
        assertThat(Theatre.verdict(folder, Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void packets_that_are_lost_are_sent_again() {
        try (var wires = new Wires(3);
                var theatre = new Theatre(wires, new Theatre.Play("ricart-agrawala", "bully", folder, true))) {
            wires.lose(10);
            for (int i = 0; i < 4; i++) {
                for (int node = 1; node <= 3; node++) {
                    theatre.node(node).enter();
                    theatre.node(node).leave();
                }
            }
        }
        assertThat(Theatre.verdict(folder, Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void a_request_that_a_cut_has_swallowed_is_never_answered() {
        try (var wires = new Wires(3);
                var theatre = new Theatre(wires, new Theatre.Play("ricart-agrawala", "bully", folder, true))) {
            theatre.node(1).enter();
            theatre.node(1).leave();
            wires.isolate(3);
            theatre.node(1).awaitPeers(1);
            theatre.node(1).tell("acquire x");
            wires.mend();
            theatre.node(1).awaitPeers(2);
            assertThat(theatre.node(1).hear("granted x", LONG)).isEmpty();
        }
        assertThat(Theatre.verdict(folder, Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
    }
}
