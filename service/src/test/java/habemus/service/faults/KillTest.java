package habemus.service.faults;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.world.Property;
import habemus.world.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real processes, and what becomes of the others when one is killed. */
@Execution(ExecutionMode.CONCURRENT)
class KillTest {

    /** Long for whoever gets in at all, which takes milliseconds; and for the detector, which takes three seconds. */
    private static final Duration LONG = Duration.ofSeconds(4);

    @TempDir
    private Path folder;

    /** Whom to kill, while n2 is inside or nobody; and whether n3 gets in afterwards. */
    @ParameterizedTest(name = "{0}: kill {1}, n2 inside: {2}, n3 gets in: {3}")
    @CsvSource({
        "central, 2, false, true",
        "central, 2, true, false",
        "central, 1, false, false",
        "central --lease 1000, 2, true, true",
        "token-ring, 1, false, false",
        "ricart-agrawala, 1, false, false",
        "quorum, 1, false, true"
    })
    void a_killed_node_sticks_those_who_need_it(String algorithm, int victim, boolean inside, boolean served) {
        try (var theatre = new Theatre(3, new Theatre.Play(algorithm, "bully", folder, false))) {
            theatre.node(2).enter();
            if (!inside) {
                theatre.node(2).leave();
                theatre.node(3).enter(); // so it was heard of
                theatre.node(3).leave();
            }
            theatre.node(victim).kill();
            var granted = theatre.node(3).tell("acquire x").hear("granted x", LONG);
            assertThat(granted.isPresent()).isEqualTo(served);
        }
        assertThat(Theatre.verdict(folder, Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void a_killed_leader_has_a_successor_in_a_later_term() {
        try (var theatre = new Theatre(3, new Theatre.Play("central", "term-majority", folder, true))) {
            theatre.node(1).tell("campaign boss");
            var first = theatre.node(1).awaitLeader(0, 0);
            int leader = first.number();
            theatre.node(leader).kill();
            var witness = theatre.others(leader).getFirst();
            var second = witness.awaitLeader(leader, first.term());
            assertThat(second.term()).isGreaterThan(first.term());
            theatre.node(leader).restart();
            var again = theatre.node(leader).awaitLeader(0, first.term());
            assertThat(again.term()).isGreaterThan(first.term());
        }
        assertThat(Theatre.verdict(folder, Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void a_node_whose_memory_is_damaged_refuses_to_start() throws IOException {
        try (var theatre = new Theatre(3, new Theatre.Play("quorum --durable", "bully", folder, true))) {
            theatre.node(2).enter(); // one of the others may not have been needed for it
            theatre.node(2).kill();
            var memory = theatre.data(2).resolve("mutex-x.memory");
            var bytes = Files.readAllBytes(memory);
            bytes[bytes.length - 1] ^= 1;
            Files.write(memory, bytes);
            theatre.node(2).start(5);
            assertThat(theatre.node(2).hear("refused ")).contains(memory.toString(), "checksum does not fit");
            assertThat(Files.readAllBytes(memory)).isEqualTo(bytes);
        }
    }

    @Test
    void a_durable_coordinator_that_was_killed_lets_no_second_in() {
        try (var theatre = new Theatre(3, new Theatre.Play("quorum --durable", "bully", folder, true))) {
            theatre.node(2).enter();
            for (int coordinator : new int[] {1, 3}) {
                theatre.node(coordinator).kill();
                theatre.node(coordinator).restart();
            }
            assertThat(theatre.node(3).tell("acquire x").hear("granted x", LONG))
                    .isEmpty();
            theatre.node(2).leave();
            theatre.node(3).hear("granted x");
        }
        assertThat(Theatre.verdict(folder, Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void without_a_disk_the_same_lets_two_in() {
        try (var theatre = new Theatre(3, new Theatre.Play("quorum", "bully", folder, false))) {
            theatre.node(2).enter();
            for (int coordinator : new int[] {1, 3}) {
                theatre.node(coordinator).kill();
                theatre.node(coordinator).restart();
            }
            theatre.node(3).tell("acquire x").hear("granted x");
        }
        assertThat(Theatre.verdict(folder, Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.VIOLATED);
    }
}
