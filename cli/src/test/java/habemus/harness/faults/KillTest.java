package habemus.harness.faults;

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
        try (var realCluster = new RealCluster(3, new RealCluster.Setup(algorithm, "bully", folder, false))) {
            realCluster.node(2).acquire();
            if (!inside) {
                realCluster.node(2).release();
                realCluster.node(3).acquire(); // so it was heard of
                realCluster.node(3).release();
            }
            realCluster.node(victim).kill();
            var granted = realCluster.node(3).send("acquire x").awaitLine("granted x", LONG);
            assertThat(granted.isPresent()).isEqualTo(served);
        }
        assertThat(RealCluster.verdict(folder, Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void a_killed_leader_has_a_successor_in_a_later_term() {
        try (var realCluster = new RealCluster(3, new RealCluster.Setup("central", "term-majority", folder, true))) {
            realCluster.node(1).send("campaign boss");
            var first = realCluster.node(1).awaitLeader(0, 0);
            int leader = first.number();
            realCluster.node(leader).kill();
            var witness = realCluster.others(leader).getFirst();
            var second = witness.awaitLeader(leader, first.term());
            assertThat(second.term()).isGreaterThan(first.term());
            realCluster.node(leader).restart();
            var again = realCluster.node(leader).awaitLeader(0, first.term());
            assertThat(again.term()).isGreaterThan(first.term());
        }
        assertThat(RealCluster.verdict(folder, Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void a_node_whose_memory_is_damaged_refuses_to_start() throws IOException {
        try (var realCluster = new RealCluster(3, new RealCluster.Setup("quorum --durable", "bully", folder, true))) {
            realCluster.node(2).acquire(); // one of the others may not have been needed for it
            realCluster.node(2).kill();
            var memory = realCluster.data(2).resolve("mutex-x.memory");
            var bytes = Files.readAllBytes(memory);
            bytes[bytes.length - 1] ^= 1;
            Files.write(memory, bytes);
            realCluster.node(2).start(5);
            assertThat(realCluster.node(2).awaitLine("refused ")).contains(memory.toString(), "checksum does not fit");
            assertThat(Files.readAllBytes(memory)).isEqualTo(bytes);
        }
    }

    @Test
    void a_durable_coordinator_that_was_killed_lets_no_second_in() {
        try (var realCluster = new RealCluster(3, new RealCluster.Setup("quorum --durable", "bully", folder, true))) {
            realCluster.node(2).acquire();
            for (int coordinator : new int[] {1, 3}) {
                realCluster.node(coordinator).kill();
                realCluster.node(coordinator).restart();
            }
            assertThat(realCluster.node(3).send("acquire x").awaitLine("granted x", LONG))
                    .isEmpty();
            realCluster.node(2).release();
            realCluster.node(3).awaitLine("granted x");
        }
        assertThat(RealCluster.verdict(folder, Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void without_a_disk_the_same_lets_two_in() {
        try (var realCluster = new RealCluster(3, new RealCluster.Setup("quorum", "bully", folder, false))) {
            realCluster.node(2).acquire();
            for (int coordinator : new int[] {1, 3}) {
                realCluster.node(coordinator).kill();
                realCluster.node(coordinator).restart();
            }
            realCluster.node(3).send("acquire x").awaitLine("granted x");
        }
        assertThat(RealCluster.verdict(folder, Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.VIOLATED);
    }
}
