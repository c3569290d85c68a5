package habemus.service.raft;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeId;
import habemus.service.algorithm.TestClusters;
import habemus.service.transport.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Nodes with the data of another cluster, with lost data or with an old copy of it are refused. Real processes. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class ClusterIdentityTest {

    private final List<Member> members = TestClusters.members(3);
    private final List<LogNodeProcess> all = new ArrayList<>();
    private int proposals;

    @TempDir
    private Path folder;

    @AfterEach
    void end() {
        all.forEach(LogNodeProcess::kill);
    }

    private Path data(int number) {
        return folder.resolve("n" + number);
    }

    private LogNodeProcess start(List<Member> list, int number, StartMode mode) {
        var node = new LogNodeProcess(number);
        all.add(node);
        node.start(list, data(number), mode);
        return node;
    }

    private List<LogNodeProcess> startAll() {
        var nodes = List.of(
                start(members, 1, StartMode.BOOTSTRAP),
                start(members, 2, StartMode.BOOTSTRAP),
                start(members, 3, StartMode.BOOTSTRAP));
        nodes.forEach(this::propose);
        return nodes;
    }

    /** Proposes until a proposal is committed. */
    private void propose(LogNodeProcess node) {
        for (String answer = "failed"; answer.startsWith("failed"); ) {
            var word = "w" + ++proposals;
            node.send("propose " + word);
            do {
                answer = node.nextLine();
            } while (!answer.contains(word));
        }
    }

    private static void delete(Path path) {
        try (var files = Files.walk(path)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void copy(Path from, Path to) {
        try (var files = Files.list(from)) {
            Files.createDirectories(to);
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName().toString()));
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void assertRefused(LogNodeProcess node, String reason) {
        assertThat(node.awaitLine("refused")).contains(reason);
    }

    @Test
    void a_survivor_is_refused_by_a_restored_cluster() {
        var nodes = startAll();
        nodes.forEach(LogNodeProcess::kill);
        delete(data(1));
        delete(data(2));
        BackupRestore.write(data(1), "lines 0 0".getBytes(UTF_8), members, new NodeId(1));
        var restored = start(members, 1, StartMode.EXISTING);
        var joined = start(members, 2, StartMode.JOIN);
        propose(restored);
        propose(joined);
        assertRefused(start(members, 3, StartMode.EXISTING), "belongs to cluster");
        propose(restored);
    }

    @Test
    void a_cluster_does_not_grow_by_an_edited_list() {
        var alone = start(members.subList(0, 1), 1, StartMode.BOOTSTRAP);
        propose(alone);
        alone.kill();
        alone.start(members, data(1), StartMode.BOOTSTRAP);
        propose(alone);
        assertRefused(start(members, 2, StartMode.BOOTSTRAP), "is not a member of cluster");
        propose(alone);
    }

    @Test
    void two_of_three_wiped_nodes_do_not_form_a_new_cluster() {
        var nodes = startAll();
        nodes.get(0).kill();
        nodes.get(1).kill();
        delete(data(1));
        delete(data(2));
        nodes.get(0).start(members, data(1), StartMode.BOOTSTRAP);
        nodes.get(1).start(members, data(2), StartMode.BOOTSTRAP);
        assertRefused(nodes.get(0), "n1 has lost its data");
        assertRefused(nodes.get(1), "n2 has lost its data");
    }

    @Test
    void an_empty_folder_under_the_old_name_is_refused() {
        var nodes = startAll();
        nodes.get(2).kill();
        delete(data(3));
        nodes.get(2).start(members, data(3), StartMode.EXISTING);
        assertRefused(nodes.get(2), "data folder is empty");
        nodes.get(2).kill();
        delete(data(3));
        nodes.get(2).start(members, data(3), StartMode.JOIN);
        assertRefused(nodes.get(2), "n3 has lost its data");
        propose(nodes.get(0));
    }

    @Test
    void an_old_copy_of_the_data_is_refused() {
        var nodes = startAll();
        nodes.get(2).kill();
        copy(data(3), folder.resolve("copy"));
        nodes.get(2).start(members, data(3), StartMode.EXISTING);
        propose(nodes.get(2));
        nodes.get(2).kill();
        nodes.get(2).start(members, data(3), StartMode.EXISTING);
        propose(nodes.get(2));
        nodes.get(2).kill();
        delete(data(3));
        copy(folder.resolve("copy"), data(3));
        nodes.get(2).start(members, data(3), StartMode.EXISTING);
        assertRefused(nodes.get(2), "n3 runs on an old copy of its data");
        propose(nodes.get(0));
    }

    @Test
    void two_nodes_cannot_use_one_folder() {
        var nodes = startAll();
        var second = new LogNodeProcess(1);
        all.add(second);
        second.start(members, data(1), StartMode.EXISTING);
        assertRefused(second, "data folder is in use by another node");
        propose(nodes.get(0));
    }

    @Test
    void a_removal_that_leaves_no_connected_majority_is_refused() {
        var nodes = startAll();
        nodes.get(2).kill();
        var leader = nodes.get(0).leader().equals("leader n1") ? nodes.get(0) : nodes.get(1);
        propose(leader);
        int other = nodes.get(0).leader().equals("leader n1") ? 2 : 1;
        leader.send("remove " + other);
        assertThat(leader.awaitLine("remove")).contains("no majority").contains("would be connected");
        propose(leader);
    }
}
