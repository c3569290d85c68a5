package habemus.raft;

import static habemus.ProtocolFixture.nodes;
import static habemus.raft.RaftFixture.START;
import static habemus.raft.RaftFixture.ack;
import static habemus.raft.RaftFixture.append;
import static habemus.raft.RaftFixture.entry;
import static habemus.raft.RaftFixture.id;
import static habemus.raft.RaftFixture.members;
import static habemus.raft.RaftFixture.noOp;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.codec.Codec;
import habemus.protocol.ByteString;
import habemus.protocol.Configuration;
import habemus.protocol.NodeSet;
import habemus.protocol.PersistentLog;
import habemus.raft.RaftMessage.AppendRejected;
import habemus.raft.RaftMessage.CommitTo;
import habemus.raft.RaftMessage.InstallSnapshot;
import habemus.raft.RaftMessage.NewerTerm;
import habemus.raft.RaftMessage.PreVote;
import habemus.raft.RaftMessage.PreVoteGranted;
import habemus.raft.RaftMessage.RequestVote;
import habemus.raft.RaftMessage.SnapshotAck;
import habemus.raft.RaftMessage.TimeoutNow;
import habemus.raft.RaftMessage.VoteGranted;
import habemus.raft.RaftState.DurableState;
import java.io.IOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The golden file is never edited, only added to, because nodes of different versions exchange such bytes. After the
 * bytes of a message it shows its text; only the bytes are compared.
 */
class RaftFormatTest {

    private static final Configuration MEMBERS = new Configuration(nodes(1, 2, 3), nodes(4));

    private static List<RaftMessage> messages() {
        return List.of(
                new PreVote(300, id(1_000_000, 299)),
                new PreVoteGranted(300),
                new RequestVote(300, id(1_000_000, 299), false),
                new RequestVote(300, START, true),
                new VoteGranted(300),
                append(7, START, 0),
                append(7, id(41, 6), 40, entry(6, "né"), noOp(7), members(7, nodes(1, 2, 3), nodes(4))),
                ack(7, 44),
                new AppendRejected(7, 41, id(12, 5), 3),
                new CommitTo(7, 44),
                new InstallSnapshot(7, id(41, 6), MEMBERS, 65_536, ByteString.of(new byte[] {0, -1}), true, 3),
                new SnapshotAck(7, id(41, 6), 65_538, 3),
                new TimeoutNow(7),
                new NewerTerm(8));
    }

    private static List<DurableState> durableStates() {
        var log = PersistentLog.startingAfter(START, new Configuration(nodes(1, 2, 3), NodeSet.NONE));
        var compacted = log.append(List.of(noOp(1), entry(1, "a"), members(2, nodes(1, 2, 3), nodes(4))))
                .compactTo(2);
        var chunks = log.append(Collections.nCopies(130, noOp(1)));
        return List.of(
                new DurableState(0, NodeSet.NONE, log, 0, ByteString.EMPTY),
                new DurableState(2, nodes(3), compacted, 2, ByteString.ofText("a")),
                new DurableState(1, nodes(1), chunks, 130, ByteString.EMPTY));
    }

    @Test
    void the_bytes_of_messages_never_change() throws IOException {
        try (var in = RaftFormatTest.class.getResourceAsStream("/archive/raft-messages-1.txt")) {
            var golden = new String(requireNonNull(in).readAllBytes(), UTF_8)
                    .lines()
                    .map(line -> line.split(" ", 2)[0])
                    .toList();
            var codec = Codec.of(RaftMessage.class);
            assertThat(messages())
                    .extracting(message -> HexFormat.of().formatHex(codec.write(message)))
                    .isEqualTo(golden);
            assertThat(golden)
                    .extracting(bytes -> codec.read(HexFormat.of().parseHex(bytes)))
                    .isEqualTo(messages());
        }
    }

    @Test
    void a_decoded_durable_state_equals_the_encoded_one() {
        var codec = Codec.of(DurableState.class);
        for (var state : durableStates()) {
            assertThat(codec.read(codec.write(state))).isEqualTo(state);
        }
    }

    @Test
    void every_message_has_a_sample() {
        var seen = new HashSet<Class<?>>();
        messages().forEach(message -> seen.add(message.getClass()));
        assertThat(seen).isEqualTo(new HashSet<>(messageTypes(RaftMessage.class).toList()));
    }

    private static Stream<Class<?>> messageTypes(Class<?> sealed) {
        return Stream.of(sealed.getPermittedSubclasses())
                .flatMap(type -> type.isSealed() ? messageTypes(type) : Stream.of(type));
    }
}
