package habemus.service.faults;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.world.Property;
import habemus.world.Verdict;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Real processes that stand still for a while, and go on as if nothing had been. */
@Execution(ExecutionMode.CONCURRENT)
class PauseTest {

    @TempDir
    private Path folder;

    @Test
    void a_holder_that_stands_still_longer_than_its_lease_is_inside_with_another() {
        try (var theatre = new Theatre(3, new Theatre.Play("central --lease 3000", "bully", folder, false))) {
            theatre.node(2).enter();
            theatre.node(2).pause();
            theatre.node(3).enter();
            theatre.node(2).resume();
            theatre.node(2).hear("lost x");
        }
        assertThat(Theatre.verdict(folder, Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void without_a_lease_others_wait_for_a_holder_that_stands_still() {
        try (var theatre = new Theatre(3, new Theatre.Play("ricart-agrawala", "bully", folder, false))) {
            theatre.node(2).enter();
            theatre.node(2).pause();
            theatre.node(3).tell("acquire x");
            theatre.node(1).awaitPeers(1); // the detector has given it up
            theatre.node(2).resume();
            theatre.node(1).awaitPeers(2);
        }
        assertThat(Theatre.verdict(folder, Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void a_bully_that_stood_still_leads_beside_its_successor() {
        try (var theatre = new Theatre(3, new Theatre.Play("central", "bully", folder, false))) {
            theatre.node(1).tell("campaign boss");
            theatre.node(1).awaitNamed(3);
            theatre.node(3).pause();
            theatre.node(1).awaitNamed(2);
            theatre.node(3).resume();
            theatre.node(1).awaitPeers(2);
        }
        assertThat(Theatre.verdict(folder, Property.UNIQUENESS)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void with_terms_a_leader_that_stood_still_is_an_old_one() {
        try (var theatre = new Theatre(3, new Theatre.Play("central", "term-majority", folder, true))) {
            theatre.node(1).tell("campaign boss");
            var first = theatre.node(1).awaitLeader(0, 0);
            theatre.node(first.number()).pause();
            var witness = theatre.others(first.number()).getFirst();
            var second = witness.awaitLeader(first.number(), first.term());
            theatre.node(first.number()).resume();
            var last = theatre.node(first.number()).awaitLeader(0, first.term());
            assertThat(last.term()).isGreaterThanOrEqualTo(second.term());
        }
        assertThat(Theatre.verdict(folder, Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
    }
}
