package habemus.service.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.EntryId;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.service.simulation.SimulatedDisk;
import habemus.service.storage.CorruptFileException;
import habemus.service.transport.Member;
import habemus.service.transport.PeerIncarnation;
import habemus.service.transport.PeerRejectedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Which nodes accept each other, by what they say of themselves. */
class IdentityHandshakeTest {

    private static final List<Member> LIST = Member.parse("n1=h1:7601,n2=h2:7602,n3=h3:7603");
    private static final Member N4 = Member.parse("n4=h4:7604").getFirst();

    private final RandomGenerator random = new SplittableRandom(1);

    private static ReplicatedLogConfig config(int node, StartMode mode) {
        return ReplicatedLogConfig.of(LIST, new NodeId(node), Path.of("unused")).withMode(mode);
    }

    private HandshakeNode start(int node, StartMode mode) {
        return new HandshakeNode(config(node, mode), new SimulatedDisk(), random);
    }

    private HandshakeNode startJoining() {
        var list = new ArrayList<>(LIST);
        list.add(N4);
        return new HandshakeNode(
                ReplicatedLogConfig.of(list, N4.node(), Path.of("unused")).withMode(StartMode.JOIN),
                new SimulatedDisk(),
                random);
    }

    /** Three members that know each other. */
    private List<HandshakeNode> cluster(String id) {
        var nodes =
                List.of(start(1, StartMode.BOOTSTRAP), start(2, StartMode.BOOTSTRAP), start(3, StartMode.BOOTSTRAP));
        for (var node : nodes) {
            nodes.stream().filter(other -> other != node).forEach(node::hear);
        }
        nodes.forEach(node -> node.handshake.form(id));
        nodes.forEach(node -> node.setMembers(1, 2, 3));
        return nodes;
    }

    // ---- another cluster ----

    @Test
    void a_node_of_a_cluster_with_another_name_is_refused() {
        var node = start(1, StartMode.BOOTSTRAP);
        var other = new HandshakeNode(config(2, StartMode.BOOTSTRAP).withCluster("test"), new SimulatedDisk(), random);
        node.assertRefuses(other, "the cluster here is 'habemus', not 'test'");
    }

    @Test
    void a_node_of_another_cluster_with_the_same_name_is_refused() {
        var here = cluster("aa").getFirst();
        var there = cluster("bb").getLast();
        here.assertRefuses(there, "n3 belongs to cluster bb, not to aa");
        there.assertRefuses(here, "n1 belongs to cluster aa, not to bb");
    }

    @Test
    void another_node_with_the_own_number_is_refused() {
        start(1, StartMode.BOOTSTRAP).assertRefuses(start(1, StartMode.BOOTSTRAP), "another node is n1 too");
    }

    @Test
    void bytes_that_are_no_hello_are_refused() {
        var node = start(1, StartMode.BOOTSTRAP);
        assertThatThrownBy(() -> node.handshake.accept(new byte[] {1, 2, 3}))
                .isInstanceOf(PeerRejectedException.class)
                .hasMessageStartingWith("not a node of this version: ");
    }

    @Test
    void a_refusal_for_identity_is_final_for_the_refused_node() {
        assertThat(IdentityHandshake.isFinal("the peer says: refused: n3 has lost its data"))
                .isTrue();
        assertThat(IdentityHandshake.isFinal("the peer says: not a node of this version: 4 bytes left"))
                .isFalse();
    }

    // ---- lost data and old copies ----

    @Test
    void a_member_that_lost_its_data_is_refused() {
        var nodes = cluster("aa");
        nodes.get(0).assertRefuses(start(3, StartMode.BOOTSTRAP), "n3 has lost its data");
        nodes.get(0).assertRefuses(start(3, StartMode.JOIN), "n3 has lost its data");
    }

    @Test
    void a_member_that_lost_its_data_is_refused_after_it_has_heard_of_the_cluster() {
        var nodes = cluster("aa");
        var lost = start(3, StartMode.BOOTSTRAP);
        lost.hear(nodes.get(1));
        assertThat(lost.handshake.identity().clusterId()).isEqualTo("aa");
        nodes.get(0).assertRefuses(lost, "n3 has lost its data");
        nodes.get(0).assertRefuses(lost.restart(), "n3 has lost its data");
    }

    @Test
    void a_restarted_node_remembers_the_data_folders_of_the_others() {
        var nodes = cluster("aa");
        nodes.get(0).restart().assertRefuses(start(3, StartMode.JOIN), "n3 has lost its data");
    }

    @Test
    void a_member_whose_folder_is_not_remembered_is_refused_with_join_if_it_has_acknowledged_entries() {
        var node = start(1, StartMode.BOOTSTRAP);
        node.handshake.form("aa");
        node.setMembers(1, 2, 3);
        node.handshake.onAcknowledged(new NodeId(3), new EntryId(7, 2));
        node.assertRefuses(start(3, StartMode.JOIN), "n3 is a member already, with other data");
    }

    @Test
    void a_member_that_lost_its_data_is_refused_by_a_node_that_only_knows_it_from_the_log() {
        var nodes = cluster("c1");
        var joined = startJoining();
        joined.hear(nodes.getFirst());
        joined.setMembers(new AddressBook(List.of(nodes.get(1).addressSince(1))), 1, 2, 3, 4);
        joined.hear(nodes.get(1));
        joined.restart().assertRefuses(start(2, StartMode.BOOTSTRAP), "n2 has lost its data");
    }

    @Test
    void a_member_whose_folder_the_log_names_is_accepted_although_an_earlier_one_is_remembered() {
        var nodes = cluster("c1");
        var again = new HandshakeNode(config(2, StartMode.JOIN), new SimulatedDisk(), random);
        again.hear(nodes.getFirst());
        nodes.getFirst().setMembers(new AddressBook(List.of(again.addressSince(5))), 1, 2, 3);
        nodes.getFirst().hear(again);
        nodes.getFirst().assertRefuses(nodes.get(1), "n2 has lost its data");
    }

    @Test
    void what_an_earlier_folder_of_a_member_had_acknowledged_is_forgotten() {
        var nodes = cluster("c1");
        nodes.getFirst().handshake.onAcknowledged(new NodeId(2), new EntryId(7, 2));
        var again = new HandshakeNode(config(2, StartMode.JOIN), new SimulatedDisk(), random);
        again.hear(nodes.getFirst());
        nodes.getFirst().setMembers(new AddressBook(List.of(again.addressSince(8))), 1, 2, 3);
        assertThat(nodes.getFirst().hear(again)).isEqualTo(new PeerIncarnation(new NodeId(2), 1));
    }

    @Test
    void an_earlier_entry_does_not_bring_back_an_earlier_folder() {
        var nodes = cluster("c1");
        var again = new HandshakeNode(config(2, StartMode.JOIN), new SimulatedDisk(), random);
        again.hear(nodes.getFirst());
        nodes.getFirst().setMembers(new AddressBook(List.of(again.addressSince(5))), 1, 2, 3);
        nodes.getFirst().setMembers(new AddressBook(List.of(nodes.get(1).addressSince(4))), 1, 2, 3);
        nodes.getFirst().hear(again);
    }

    @Test
    void a_node_that_connected_before_the_log_named_another_folder_is_a_stranger() {
        var node = cluster("c1").getFirst();
        var first = startJoining();
        node.hear(startJoining());
        node.handshake.onPresent(NodeSet.of(N4.node()));
        node.setMembers(new AddressBook(List.of(first.addressSince(5))), 1, 2, 3, 4);
        assertThat(node.handshake.strangers()).isEqualTo(NodeSet.of(N4.node()));
    }

    @Test
    void a_cluster_begins_with_the_folders_of_all_members() {
        var nodes = cluster("c1");
        assertThat(nodes.getFirst().handshake.firstAddresses().members())
                .extracting(AddressBook.Address::memberId)
                .containsExactlyElementsOf(nodes.stream()
                        .map(node -> node.handshake.identity().memberId())
                        .toList());
    }

    @Test
    void a_member_with_an_old_copy_of_its_folder_is_refused() {
        var nodes = cluster("aa");
        var copy = nodes.get(2).disk.copy(); // one start
        var second = nodes.get(2).restart();
        nodes.get(0).hear(second);
        nodes.get(0).hear(second.restart());
        nodes.get(0).assertRefuses(nodes.get(2).startOn(copy), "n3 runs on an old copy of its data");
    }

    @Test
    void a_member_with_an_old_copy_is_refused_even_if_it_was_started_as_often() {
        var nodes = cluster("aa");
        var copy = nodes.get(2).disk.copy();
        nodes.get(0).hear(nodes.get(2).restart());
        nodes.get(0).assertRefuses(nodes.get(2).startOn(copy), "n3 runs on an old copy of its data");
    }

    @Test
    void a_member_with_an_old_copy_is_refused_however_often_it_is_started() {
        var nodes = cluster("aa");
        var copy = nodes.get(2).disk.copy();
        nodes.get(0).hear(nodes.get(2).restart());
        var refused = nodes.get(2).startOn(copy);
        for (int start = 0; start < 5; start++) {
            refused = refused.restart();
            nodes.get(0).assertRefuses(refused, "n3 runs on an old copy of its data");
        }
    }

    /** A member that joined later accepts the copy, so the refusal of one peer has to be enough. */
    @Test
    void the_refusal_of_an_old_copy_is_a_proof_and_that_of_other_data_is_not() {
        var nodes = cluster("aa");
        var copy = nodes.get(2).disk.copy();
        nodes.get(0).hear(nodes.get(2).restart());
        assertThat(IdentityHandshake.provesOldCopy(
                        nodes.get(0).refusal(nodes.get(2).startOn(copy))))
                .isTrue();
        assertThat(IdentityHandshake.provesOldCopy(nodes.get(0).refusal(start(2, StartMode.BOOTSTRAP))))
                .isFalse();
    }

    @Test
    void a_member_that_was_started_often_while_a_peer_was_down_is_accepted() {
        var nodes = cluster("aa");
        var restarted = nodes.get(2);
        for (int start = 0; start < 100; start++) {
            restarted = restarted.restart();
        }
        assertThat(nodes.get(0).hear(restarted)).isEqualTo(new PeerIncarnation(new NodeId(3), 101));
    }

    @Test
    void a_member_that_joined_again_is_accepted_by_a_peer_that_has_missed_it() {
        var nodes = cluster("aa");
        var joined = start(3, StartMode.JOIN);
        nodes.get(0).assertRefuses(joined, "n3 has lost its data");
        joined.handshake.form("aa");
        joined.configuration = StorageDriver.configuration(1, 2, 3);
        joined.configuredAt = new EntryId(9, 2); // the leader has sent it this configuration
        nodes.get(0).hear(joined);
        nodes.get(0).assertRefuses(nodes.get(2).restart(), "n3 has lost its data");
    }

    @Test
    void a_new_member_is_accepted_by_a_peer_that_has_missed_it() {
        var nodes = cluster("aa");
        var joined = startJoining();
        joined.handshake.form("aa");
        joined.configuration = StorageDriver.configuration(1, 2, 3, 4);
        nodes.get(0).assertRefuses(joined, "n4 is not a member of cluster aa");
        joined.configuredAt = new EntryId(9, 2);
        nodes.get(0).hear(joined);
    }

    @Test
    void a_member_that_is_removed_and_added_before_it_returns_has_a_new_folder() {
        var nodes = cluster("aa");
        nodes.get(0).handshake.onPresent(NodeSet.of(new NodeId(2))); // n3 is gone
        nodes.get(0).setMembers(1, 2);
        nodes.get(0).setMembers(1, 2, 3);
        nodes.get(0).hear(start(3, StartMode.JOIN));
    }

    @Test
    void the_address_of_a_member_is_learned_if_no_entry_names_it() {
        var nodes = cluster("aa");
        nodes.get(0).unknownAddress = new NodeId(2);
        nodes.get(0).hear(nodes.get(1).restart());
        nodes.get(0).hear(nodes.get(2).restart());
        assertThat(nodes.get(0).visitors).extracting(Member::node).containsExactly(new NodeId(2));
    }

    /** The leader of term 3 has removed the entry, and a crash took what it sent instead. */
    @Test
    void a_member_whose_entry_was_removed_by_a_later_leader_is_accepted() {
        var nodes = cluster("aa");
        nodes.get(0).handshake.onAcknowledged(new NodeId(3), new EntryId(7, 2));
        var restarted = nodes.get(2).restart();
        restarted.handshake.setStart(new EntryId(6, 2), 3);
        assertThat(nodes.get(0).hear(restarted).node()).isEqualTo(new NodeId(3));
    }

    @Test
    void a_member_that_connects_again_in_the_same_run_lacks_nothing() {
        var nodes = cluster("aa");
        var joined = startJoining();
        nodes.get(0).hear(joined);
        nodes.get(0).handshake.onAcknowledged(N4.node(), new EntryId(7, 2));
        joined.handshake.form("aa");
        nodes.get(0).setMembers(1, 2, 3, 4);
        assertThat(nodes.get(0).hear(joined).node()).isEqualTo(N4.node());
    }

    @Test
    void a_member_that_lacks_an_entry_that_it_has_acknowledged_is_refused() {
        var nodes = cluster("aa");
        nodes.get(0).handshake.onAcknowledged(new NodeId(3), new EntryId(7, 2));
        var restarted = nodes.get(2).restart();
        restarted.handshake.setStart(new EntryId(6, 2), 2);
        nodes.get(0).assertRefuses(restarted, "n3 runs on an old copy of its data");
    }

    @Test
    void a_member_whose_acknowledged_entries_were_replaced_by_a_later_leader_is_accepted() {
        var nodes = cluster("aa");
        nodes.get(0).handshake.onAcknowledged(new NodeId(3), new EntryId(7, 2));
        var restarted = nodes.get(2).restart();
        restarted.handshake.setStart(new EntryId(6, 3), 3);
        assertThat(nodes.get(0).hear(restarted)).isEqualTo(new PeerIncarnation(new NodeId(3), 2));
    }

    @Test
    void a_member_that_connects_again_is_accepted_whatever_it_had_when_it_was_started() {
        var nodes = cluster("aa");
        nodes.get(0).handshake.onAcknowledged(new NodeId(3), new EntryId(7, 2));
        assertThat(nodes.get(0).hear(nodes.get(2))).isEqualTo(new PeerIncarnation(new NodeId(3), 1));
    }

    @Test
    void a_restarted_member_is_accepted() {
        var nodes = cluster("aa");
        nodes.get(0).handshake.onAcknowledged(new NodeId(3), new EntryId(7, 2));
        var restarted = nodes.get(2).restart();
        restarted.handshake.setStart(new EntryId(7, 2), 2);
        assertThat(nodes.get(0).hear(restarted)).isEqualTo(new PeerIncarnation(new NodeId(3), 2));
    }

    // ---- members ----

    @Test
    void a_node_that_is_not_a_member_is_refused() {
        var nodes = cluster("aa");
        nodes.get(0).setMembers(1, 2);
        nodes.get(0).assertRefuses(nodes.get(2), "n3 is not a member of cluster aa");
    }

    @Test
    void a_node_that_bootstraps_beside_a_formed_cluster_is_refused() {
        var alone = start(1, StartMode.BOOTSTRAP);
        alone.handshake.form("aa");
        alone.setMembers(1);
        alone.assertRefuses(start(2, StartMode.BOOTSTRAP), "n2 is not a member of cluster aa");
    }

    @Test
    void a_node_that_wants_to_join_is_accepted_as_a_visitor() {
        var nodes = cluster("aa");
        var visitor = startJoining();
        assertThat(nodes.get(0).hear(visitor)).isEqualTo(new PeerIncarnation(N4.node(), 1));
        assertThat(nodes.get(0).visitors).containsExactly(N4);
        assertThat(nodes.get(0).handshake.identity().find(N4.node())).isEmpty();
        visitor.hear(nodes.get(0));
        assertThat(visitor.handshake.identity().clusterId()).isEqualTo("aa");
        assertThat(visitor.formed).isEqualTo(1);
    }

    @Test
    void the_folder_of_a_visitor_is_remembered_when_it_becomes_a_member() {
        var nodes = cluster("aa");
        nodes.get(0).hear(startJoining());
        nodes.get(0).handshake.onPresent(NodeSet.of(N4.node()));
        nodes.get(0).setMembers(1, 2, 3, 4);
        nodes.get(0).assertRefuses(startJoining(), "n4 has lost its data");
    }

    @Test
    void a_node_wants_to_join_until_it_is_a_member() {
        var nodes = cluster("aa");
        assertThat(nodes.get(0).handshake.isJoining(N4.node())).isFalse();
        nodes.get(0).hear(startJoining());
        assertThat(nodes.get(0).handshake.isJoining(N4.node())).isTrue();
        nodes.get(0).setMembers(1, 2, 3, 4);
        nodes.get(0).setMembers(1, 2, 3); // removed, perhaps before its connection ends
        assertThat(nodes.get(0).handshake.isJoining(N4.node())).isFalse();
    }

    @Test
    void a_node_that_knows_its_members_does_not_join_any_more() {
        var nodes = cluster("aa");
        var visitor = startJoining();
        visitor.hear(nodes.get(0));
        visitor.setMembers(1, 2, 3, 4);
        nodes.get(0).assertRefuses(visitor, "n4 is not a member of cluster aa");
    }

    @Test
    void a_removed_member_is_forgotten_and_may_join_again() {
        var nodes = cluster("aa");
        nodes.get(0).setMembers(1, 2);
        var again = start(3, StartMode.JOIN);
        nodes.get(0).hear(again);
        assertThat(nodes.get(0).visitors).containsExactly(LIST.getLast());
        nodes.get(0).setMembers(1, 2, 3);
        assertThat(nodes.get(0).hear(again)).isEqualTo(new PeerIncarnation(new NodeId(3), 1));
    }

    @Test
    void what_a_removed_member_had_acknowledged_is_forgotten() {
        var nodes = cluster("aa");
        nodes.get(0).handshake.onAcknowledged(new NodeId(3), new EntryId(7, 2));
        nodes.get(0).setMembers(1, 2);
        var again = start(3, StartMode.JOIN);
        nodes.get(0).hear(again);
        again.hear(nodes.get(0));
        nodes.get(0).setMembers(1, 2, 3);
        assertThat(nodes.get(0).hear(again.restart())).isEqualTo(new PeerIncarnation(new NodeId(3), 2));
    }

    // ---- forming a cluster ----

    @Test
    void the_first_node_of_the_list_forms_the_cluster_when_all_are_there() {
        var first = start(1, StartMode.BOOTSTRAP);
        var second = start(2, StartMode.BOOTSTRAP);
        var others = NodeSet.of(List.of(new NodeId(2), new NodeId(3)));
        assertThat(first.handshake.mayForm(others)).isTrue();
        assertThat(first.handshake.mayForm(others.without(new NodeId(3)))).isFalse();
        assertThat(second.handshake.mayForm(NodeSet.of(List.of(new NodeId(1), new NodeId(3)))))
                .isFalse();
        assertThat(start(1, StartMode.JOIN).handshake.mayForm(others)).isFalse();
    }

    @Test
    void a_formed_cluster_is_not_formed_again() {
        var first = cluster("aa").getFirst();
        first.handshake.form("bb");
        assertThat(first.handshake.mayForm(NodeSet.of(List.of(new NodeId(2), new NodeId(3)))))
                .isFalse();
        assertThat(first.restart().handshake.identity().clusterId()).isEqualTo("aa");
        assertThat(first.formed).isEqualTo(1);
    }

    @Test
    void nodes_with_different_lists_do_not_form_a_cluster() {
        var node = start(1, StartMode.BOOTSTRAP);
        var other = new HandshakeNode(
                ReplicatedLogConfig.of(LIST.subList(0, 2), new NodeId(2), Path.of("unused")),
                new SimulatedDisk(),
                random);
        node.assertRefuses(other, "the members of the new cluster are [n1, n2, n3] here, but [n1, n2] at n2");
        node.assertRefuses(
                start(2, StartMode.JOIN), "the members of the new cluster are [n1, n2, n3] here, but --join");
    }

    @Test
    void a_node_that_was_away_while_the_cluster_was_formed_learns_of_it() {
        var nodes = cluster("aa");
        var away = start(3, StartMode.BOOTSTRAP);
        var first = start(1, StartMode.BOOTSTRAP); // has never met n3
        first.hear(nodes.get(1));
        first.setMembers(1, 2, 3);
        assertThat(first.hear(away)).isEqualTo(new PeerIncarnation(new NodeId(3), 1));
        away.hear(first);
        assertThat(away.handshake.identity().clusterId()).isEqualTo("aa");
        assertThat(away.formed).isEqualTo(1);
    }

    // ---- the own folder ----

    @Test
    void the_folder_of_another_node_is_refused() {
        var disk = cluster("aa").getLast().disk.kill();
        assertThatThrownBy(() -> new HandshakeNode(config(1, StartMode.EXISTING), disk, random))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("data folder belongs to n3, not to n1: disk");
    }

    @Test
    void an_empty_folder_is_refused_without_bootstrap_or_join() {
        assertThatThrownBy(() -> start(1, StartMode.EXISTING))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("data folder is empty: disk"
                        + "\nhint: --bootstrap forms a new cluster, --join joins one that exists");
    }

    @Test
    void a_folder_with_a_log_but_without_an_identity_is_refused() {
        for (var mode : StartMode.values()) {
            var disk = new SimulatedDisk();
            StorageDriver.create(disk);
            assertThatThrownBy(() -> new HandshakeNode(config(1, mode), disk, random))
                    .isInstanceOf(CorruptFileException.class)
                    .hasMessageStartingWith("disk/identity is missing, but log files exist");
        }
    }

    @Test
    void a_member_without_the_files_of_its_log_is_refused() {
        var disk = cluster("aa").getFirst().disk.kill();
        disk.list().stream().filter(file -> !file.equals("identity")).forEach(disk::lose);
        assertThatThrownBy(() -> new HandshakeNode(config(1, StartMode.EXISTING), disk, random))
                .isInstanceOf(CorruptFileException.class)
                .hasMessageStartingWith("the files of the log are missing: disk");
    }

    @Test
    void a_crash_while_a_cluster_is_formed_leaves_a_node_that_can_start() {
        boolean isComplete = false;
        for (int steps = 0; !isComplete; steps++) {
            var node = start(1, StartMode.BOOTSTRAP);
            node.disk.failPowerAfter(steps);
            try {
                node.handshake.form("aa");
                isComplete = true;
            } catch (SimulatedDisk.PowerFailureException interrupted) {
                assertThat(node.formed).isZero();
            }
            var next = node.startOn(node.disk.crash(new SplittableRandom(steps)));
            assertThat(next.handshake.identity().clusterId()).isIn("", "aa");
        }
    }

    @Test
    void a_damaged_identity_is_refused() {
        var disk = cluster("aa").getFirst().disk.kill();
        for (long bit = 0; bit < 8 * disk.size("identity"); bit++) {
            var damaged = disk.copy();
            damaged.flipBit("identity", bit);
            assertThatThrownBy(() -> new HandshakeNode(config(1, StartMode.EXISTING), damaged, random))
                    .isInstanceOf(CorruptFileException.class)
                    .hasMessageStartingWith("disk/identity is damaged");
        }
    }

    @Test
    void what_a_node_says_of_itself_is_on_disk() {
        var node = start(1, StartMode.BOOTSTRAP);
        node.hear(start(2, StartMode.BOOTSTRAP));
        node.handshake.form("aa");
        var identity = ClusterIdentity.read(node.disk.crash(new SplittableRandom(1)));
        assertThat(identity).contains(node.handshake.identity());
    }
}
