package habemus.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.Configuration;
import habemus.protocol.EntryId;
import habemus.protocol.LogEntry;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.raft.RaftMessage;
import habemus.service.simulation.SimulatedDisk;
import habemus.service.transport.Member;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes of the members at node 1 of three, while the leader changes and a fourth node joins. */
class MemberChangesTest {

    private static final List<Member> LIST = Member.parse("n1=h1:7601,n2=h2:7602,n3=h3:7603");
    private static final Member N4 = Member.parse("n4=h4:7604").getFirst();
    private static final LogFrame.ChangeMembers ADD_N4 =
            new LogFrame.ChangeMembers(1, N4.node(), N4.addressText(), AddressBook.UNKNOWN_FOLDER);

    private final SplittableRandom random = new SplittableRandom(1);
    private final HandshakeNode n2 = start(config(LIST, 2));
    private final HandshakeNode n3 = start(config(LIST, 3));
    private final HandshakeNode n4 = startJoining();
    private final ManualRaftNode n1 = new ManualRaftNode(config(LIST, 1));

    private static ReplicatedLogConfig config(List<Member> members, int node) {
        return ReplicatedLogConfig.of(members, new NodeId(node), Path.of("unused"));
    }

    private HandshakeNode start(ReplicatedLogConfig config) {
        return new HandshakeNode(config, new SimulatedDisk(), random);
    }

    private HandshakeNode startJoining() {
        var list = new ArrayList<>(LIST);
        list.add(N4);
        return start(config(list, 4).withMode(StartMode.JOIN));
    }

    @BeforeEach
    void connectAll() {
        n1.connect(n2, n3); // the cluster is formed: the snapshot is entry 1 of term 1
        n1.connect(n2, n3, n4);
    }

    private static LogEntry.Members members(NodeSet voters, NodeSet learners) {
        return new LogEntry.Members(new Configuration(voters, learners));
    }

    private static NodeSet nodes(int... numbers) {
        return StorageDriver.configuration(numbers).members();
    }

    /** The address of a node as an entry, with its data folder. */
    private static LogEntry.Command address(HandshakeNode node) {
        var book = new AddressBook(List.of(AddressBook.Address.of(
                node.config.selfMember(), node.handshake.identity().memberId())));
        var origin = new EntryPayload.Origin(new NodeId(3), 1, 1);
        return new LogEntry.Command(
                new EntryPayload(EntryPayload.Kind.ADDRESS, origin, ByteBuffer.wrap(book.encode())).encode());
    }

    private List<String> refusals() {
        return n1.sent(LogFrame.MembersChanged.class).stream()
                .map(LogFrame.MembersChanged::refusal)
                .toList();
    }

    /** The next leader may have added the node since, with another folder, after it was removed. */
    @Test
    void a_leader_that_is_replaced_does_not_pass_an_addition_on() {
        n1.lead(2);
        n1.receive(2, ADD_N4);
        n1.receiveEntries(3, 3, new EntryId(2, 2), 2, new LogEntry.NoOp());
        n1.run();
        assertThat(refusals()).containsExactly("outcome unknown: the leader changed");
        assertThat(n1.sent(LogFrame.Forward.class)).isEmpty();
    }

    /** The entry with the address may outlive the change: the next leaders keep it. */
    @Test
    void an_addition_whose_outcome_was_unknown_does_not_go_on_when_the_node_leads_again() {
        n1.lead(2);
        n1.receive(2, ADD_N4);
        n1.run();
        n1.receiveEntries(3, 3, new EntryId(3, 2), 2, new LogEntry.NoOp());
        assertThat(refusals()).containsExactly("outcome unknown: the leader changed");
        n1.lead(4);
        n1.receiveFromBoth(new RaftMessage.AppendAck(4, 5, 0));
        n1.run();
        assertThat(n1.sentMembers()).isEmpty();
    }

    /** This node has not noticed yet that its connection to the former life of the member is dead. */
    @Test
    void an_addition_does_not_change_the_data_folder_of_a_member() {
        n1.receiveEntries(
                2,
                2,
                new EntryId(1, 1),
                1,
                new LogEntry.NoOp(),
                address(startJoining()),
                members(nodes(1, 2, 3), nodes(4)));
        n1.receiveEntries(2, 2, new EntryId(4, 2), 4, members(nodes(1, 2, 3, 4), NodeSet.NONE));
        n1.receiveEntries(2, 2, new EntryId(5, 2), 5);
        n1.lead(3);
        n1.receiveFromBoth(new RaftMessage.AppendAck(3, 6, 0));
        n1.receive(2, ADD_N4);
        n1.receiveFromBoth(new RaftMessage.AppendAck(3, 6, 1));
        assertThat(refusals()).containsExactly("node is a member already, with other data: n4 (remove it first)");
    }
}
