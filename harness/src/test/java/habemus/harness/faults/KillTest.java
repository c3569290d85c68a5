package habemus.harness.faults;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.world.Property;
import habemus.world.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What happens to the other processes when one is killed. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class KillTest {

    /** Longer than a grant and than the suspicion of a killed process, which take milliseconds. */
    private static final Duration GRANT_TIMEOUT = Duration.ofSeconds(4);

    @TempDir
    private Path folder;

    /** Which node is killed, whether n2 holds the lock then, and whether n3 is granted the lock afterwards. */
    @ParameterizedTest(name = "{0}: kill {1}, n2 holds: {2}, n3 granted: {3}")
    @CsvSource({
        "central, 2, false, true",
        "central, 2, true, false",
        "central, 1, false, false",
        "central --lease 1000, 2, true, true",
        "token-ring, 1, false, false",
        "ricart-agrawala, 1, false, false",
        "quorum, 1, false, true"
    })
    void a_killed_node_blocks_the_nodes_that_need_it(String algorithm, int killed, boolean holds, boolean isGranted) {
        try (var cluster = new RealCluster(3, new RealCluster.Setup(algorithm, "bully", folder, false))) {
            cluster.node(2).acquire();
            if (!holds) {
                cluster.node(2).release();
                cluster.node(3).acquire(); // so the release was received
                cluster.node(3).release();
            }
            cluster.node(killed).kill();
            var granted = cluster.node(3).send("acquire x").awaitLine("granted x", GRANT_TIMEOUT);
            assertThat(granted.isPresent()).isEqualTo(isGranted);
        }
        assertThat(RealCluster.verdict(folder, Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void a_killed_leader_is_replaced_in_a_later_term() {
        try (var cluster = new RealCluster(3, new RealCluster.Setup("central", "term-majority", folder, true))) {
            cluster.node(1).send("campaign boss");
            var first = cluster.node(1).awaitLeader(0, 0);
            int leader = first.number();
            cluster.node(leader).kill();
            var witness = cluster.others(leader).getFirst();
            var second = witness.awaitLeader(leader, first.term());
            assertThat(second.term()).isGreaterThan(first.term());
            cluster.node(leader).restart();
            var again = cluster.node(leader).awaitLeader(0, first.term());
            assertThat(again.term()).isGreaterThan(first.term());
        }
        assertThat(RealCluster.verdict(folder, Property.ONE_LEADER_PER_TERM)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void a_node_with_a_damaged_state_file_refuses_to_start() throws IOException {
        try (var cluster = new RealCluster(3, new RealCluster.Setup("quorum --durable", "bully", folder, true))) {
            cluster.node(2).acquire(); // n2 has voted for itself
            cluster.node(2).kill();
            var stateFile = cluster.data(2).resolve("mutex-x.memory");
            var bytes = Files.readAllBytes(stateFile);
            bytes[bytes.length - 1] ^= 1;
            Files.write(stateFile, bytes);
            cluster.node(2).start(5);
            assertThat(cluster.node(2).awaitLine("refused ")).contains(stateFile.toString(), "checksum mismatch");
            assertThat(Files.readAllBytes(stateFile)).isEqualTo(bytes);
        }
    }

    @Test
    void a_restarted_durable_coordinator_grants_no_second_client() {
        try (var cluster = new RealCluster(3, new RealCluster.Setup("quorum --durable", "bully", folder, true))) {
            cluster.node(2).acquire();
            for (int coordinator : new int[] {1, 3}) {
                cluster.node(coordinator).kill();
                cluster.node(coordinator).restart();
            }
            assertThat(cluster.node(3).send("acquire x").awaitLine("granted x", GRANT_TIMEOUT))
                    .isEmpty();
            cluster.node(2).release();
            cluster.node(3).awaitLine("granted x");
        }
        assertThat(RealCluster.verdict(folder, Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void without_durable_state_restarted_coordinators_grant_two_clients() {
        try (var cluster = new RealCluster(3, new RealCluster.Setup("quorum", "bully", folder, false))) {
            cluster.node(2).acquire();
            for (int coordinator : new int[] {1, 3}) {
                cluster.node(coordinator).kill();
                cluster.node(coordinator).restart();
            }
            cluster.node(3).send("acquire x").awaitLine("granted x");
        }
        assertThat(RealCluster.verdict(folder, Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.VIOLATED);
    }
}
