package habemus.service.raft;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import habemus.protocol.Configuration;
import habemus.protocol.EntryId;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.service.simulation.SimulatedDisk;
import habemus.service.transport.Member;
import habemus.service.transport.PeerIncarnation;
import habemus.service.transport.PeerRejectedException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One start of a node: its handshake, and the log that it asks. */
final class HandshakeNode implements IdentityHandshake.Log {
    final ReplicatedLogConfig config;
    final SimulatedDisk disk;
    private final RandomGenerator random;
    final IdentityHandshake handshake;
    final List<Member> visitors = new ArrayList<>();
    Configuration configuration = new Configuration(NodeSet.NONE, NodeSet.NONE);
    EntryId configuredAt = new EntryId(0, 0);

    @Nullable
    NodeId unknownAddress;

    int formed;

    HandshakeNode(ReplicatedLogConfig config, SimulatedDisk disk, RandomGenerator random) {
        this.config = config;
        this.disk = disk;
        this.random = random;
        handshake = new IdentityHandshake(config, disk, random, this);
    }

    /** The next start with the same folder. */
    HandshakeNode restart() {
        return startOn(disk.kill());
    }

    HandshakeNode startOn(SimulatedDisk folder) {
        var next = new HandshakeNode(config, folder, random);
        next.configuration = configuration;
        return next;
    }

    /** The members are known to the log now. */
    void setMembers(int... nodes) {
        setMembers(new AddressBook(List.of()), nodes);
    }

    /** The members are known to the log now, and these data folders of them. */
    void setMembers(AddressBook addresses, int... nodes) {
        configuration = StorageDriver.configuration(nodes);
        handshake.onMembersChanged(configuration.members(), addresses);
    }

    /** What an entry says of the folder of this node. */
    AddressBook.Address addressSince(long index) {
        return AddressBook.Address.of(config.selfMember(), handshake.identity().memberId())
                .withSince(new EntryId(index, 1));
    }

    /** Checks what the other node says of itself. */
    PeerIncarnation hear(HandshakeNode other) {
        return handshake.accept(other.handshake.hello());
    }

    /** What the other node is told by the transport. */
    String refusal(HandshakeNode other) {
        var refused = catchThrowableOfType(PeerRejectedException.class, () -> hear(other));
        return "the peer says: " + refused.reason();
    }

    void assertRefuses(HandshakeNode other, String reason) {
        assertThatThrownBy(() -> hear(other))
                .isInstanceOf(PeerRejectedException.class)
                .hasMessageStartingWith("refused: " + reason);
    }

    @Override
    public Configuration configuration() {
        return configuration;
    }

    @Override
    public EntryId configuredAt() {
        return configuredAt;
    }

    @Override
    public boolean hasAddress(NodeId node) {
        return !node.equals(unknownAddress);
    }

    @Override
    public void onVisitor(Member visitor) {
        visitors.add(visitor);
    }

    @Override
    public void createFiles() {
        StorageDriver.create(disk);
    }

    @Override
    public void onFormed() {
        formed++;
    }
}
