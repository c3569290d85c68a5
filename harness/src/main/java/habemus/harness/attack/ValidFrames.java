package habemus.harness.attack;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.codec.Codec;
import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Operation;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import habemus.protocol.ByteString;
import habemus.protocol.Configuration;
import habemus.protocol.EntryId;
import habemus.protocol.LogEntry;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.raft.RaftMessage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Frames that a node accepts, from which the attacks make others. */
final class ValidFrames {

    static final Codec<ClientFrame.ToService> TO_SERVICE = Codec.of(ClientFrame.ToService.class);

    /** Short, so that sessions that an attack opens end soon. */
    private static final Duration LEASE = Duration.ofSeconds(1);

    private static final byte HELLO_TAG = 0;

    private ValidFrames() {}

    /** What a node says of itself in its handshake, with the encoding of the real one. */
    private record PeerHello(
            String clusterName,
            String clusterId,
            PeerSender sender,
            List<Long> runs,
            String address,
            boolean isJoining,
            List<NodeId> list,
            EntryId last,
            long term) {}

    private record PeerSender(NodeId node, long memberId, long starts, long run, EntryId since) {}

    private static final Codec<PeerHello> PEER_HELLOS = Codec.of(PeerHello.class);

    static byte[] hello(String token) {
        return TO_SERVICE.write(new ClientFrame.Hello(ClientFrame.VERSION, token, ""));
    }

    static List<Message.ClientRequest> clientRequests() {
        var operations = List.of(
                Operation.Acquire.of(ResourceShare.exclusive("attack")),
                new Operation.Acquire(
                        List.of(ResourceShare.shared("attack-a"), ResourceShare.permits("attack-b", 2, 5)), false, 0),
                new Operation.Acquire(List.of(ResourceShare.leadership("attack-c")), true, 7),
                new Operation.Release(1),
                new Operation.Transfer(3, "attacker"),
                new Operation.Close());
        var requests = new ArrayList<Message.ClientRequest>();
        requests.add(new Message.OpenSession(77, new ClientInfo("attacker", "here", 4_711), LEASE));
        requests.add(new Message.Attach(1_000_000, 77));
        requests.add(new Message.Renew(1_000_000, 1));
        requests.add(new Message.Watch());
        for (int i = 0; i < operations.size(); i++) {
            requests.add(new Message.Submit(1_000_000, i + 1, 0, operations.get(i)));
        }
        return requests;
    }

    /** The frames of a client, after its Hello. */
    static List<byte[]> ofClient() {
        var frames = new ArrayList<byte[]>();
        clientRequests().forEach(request -> frames.add(TO_SERVICE.write(new ClientFrame.Request(request))));
        frames.add(TO_SERVICE.write(new ClientFrame.Describe(1, ResourceName.lock("attack"))));
        frames.add(TO_SERVICE.write(new ClientFrame.ListDeadlocks(2)));
        frames.add(hello(""));
        return frames;
    }

    /**
     * The first frames of a node of another cluster: a node that asked to join this one would be dialed at the address
     * that it names, and a mutated address may be anywhere.
     */
    static List<byte[]> ofPeer() {
        return List.of(handshake("attacker", "id", false), handshake("attacker", "", true));
    }

    /** The first frame of a node that wants to join a cluster, with an address where no node is. */
    static byte[] joining(String cluster) {
        return handshake(cluster, "", true);
    }

    private static byte[] handshake(String cluster, String clusterId, boolean isJoining) {
        var hello = new PeerHello(
                cluster,
                clusterId,
                new PeerSender(new NodeId(2), 1, 1, 1, new EntryId(0, 0)),
                List.of(1L),
                "127.0.0.1:1",
                isJoining,
                List.of(),
                new EntryId(0, 0),
                0);
        var content = new ByteArrayOutputStream();
        content.writeBytes("HBMP".getBytes(UTF_8));
        content.write(1); // version
        content.write(HELLO_TAG);
        content.writeBytes(Codec.of(ByteString.class).write(ByteString.of(PEER_HELLOS.write(hello))));
        return content.toByteArray();
    }

    static List<RaftMessage> ofLog() {
        var last = new EntryId(7, 3);
        var configuration = new Configuration(NodeSet.of(List.of(new NodeId(1), new NodeId(2))), NodeSet.NONE);
        return List.of(
                new RaftMessage.PreVote(3, last),
                new RaftMessage.RequestVote(3, last, false),
                new RaftMessage.AppendEntries(
                        3,
                        last,
                        List.of(new LogEntry(3, new LogEntry.Command(ByteString.of(new byte[] {1, 2, 3})))),
                        6,
                        2),
                new RaftMessage.AppendRejected(3, 7, last, 2),
                new RaftMessage.InstallSnapshot(
                        3, last, configuration, 0, ByteString.of(new byte[] {1, 2, 3, 4}), true, 2));
    }

    /** Entries of the log, each with one command. */
    static List<CommandBatch> batches() {
        var commands = List.<Command>of(
                new Command.OpenSession(77, new ClientInfo("attacker", "here", 4_711), LEASE),
                new Command.RenewSessions(List.of(new Command.Renewal(5, 6))),
                new Command.Submit(5, 1, 0, Operation.Acquire.of(ResourceShare.exclusive("attack"))),
                new Command.ExpireSession(5, 6),
                new Command.AdminCommand(
                        new Command.AdminAction.Release(ResourceName.lock("attack"), 9), "operator", "here", "test"),
                new Command.RecordDenial("billing", "here", "acquire lock attack", 9));
        return commands.stream()
                .map(command -> CommandBatch.of(1_700_000_000_000L, command))
                .toList();
    }

    /** Requests of the HTTP API, each alone on its connection. */
    static List<byte[]> ofHttp() {
        return List.of(
                request("GET /status HTTP/1.1", ""),
                request("GET /locks?limit=10&prefix=attack HTTP/1.1", ""),
                request("GET /locks/attack HTTP/1.1", ""),
                request("POST /locks/attack/acquire HTTP/1.1", "{\"wait\":0,\"lease\":1000}"),
                request("POST /tickets/0123456789abcdef/release HTTP/1.1", "{}"),
                request("DELETE /tickets/0123456789abcdef HTTP/1.1", ""),
                request("GET /metrics HTTP/1.1", ""));
    }

    private static byte[] request(String line, String body) {
        var content =
                body.isEmpty() ? "" : "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n";
        return (line + "\r\nHost: 127.0.0.1\r\nConnection: close\r\n" + content + "\r\n" + body).getBytes(UTF_8);
    }

    /** A frame as it is sent: four bytes for its length, then its content. */
    static byte[] withLength(byte[] content) {
        return ByteBuffer.allocate(Integer.BYTES + content.length)
                .putInt(content.length)
                .put(content)
                .array();
    }
}
