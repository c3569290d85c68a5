package habemus.service.raft;

import static java.util.Objects.requireNonNull;

import habemus.protocol.EntryId;
import habemus.protocol.LogEntry;
import habemus.protocol.NodeId;
import habemus.raft.RaftMessage;
import habemus.service.log.RecordingStateMachine;
import habemus.service.metrics.NodeMetrics;
import habemus.service.runtime.ManualEventLoop;
import habemus.service.simulation.SimulatedDisk;
import habemus.service.transport.Member;
import habemus.service.transport.PeerHandshake;
import habemus.service.transport.PeerIncarnation;
import habemus.service.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Node 1 of a cluster, in virtual time. The test plays its peers, and decides what arrives in a turn of the loop. */
final class ManualRaftNode {

    private static final Duration LONGEST_ELECTION_TIMEOUT = Duration.ofSeconds(1);

    private final ManualEventLoop loop = new ManualEventLoop();
    private final ManualTransport transport = new ManualTransport();
    private final List<LogFrame> sent = new ArrayList<>();
    private final RaftLog log;
    private @Nullable PeerHandshake handshake;

    private final class ManualTransport implements Transport {
        private @Nullable Listener listener;
        private List<PeerIncarnation> connected = List.of();

        @Override
        public void start(Listener newListener) {
            listener = newListener;
        }

        @Override
        public void setPeers(List<Member> peers) {
            var nodes = peers.stream().map(Member::node).toList();
            setConnected(connected.stream()
                    .filter(peer -> nodes.contains(peer.node()))
                    .toList());
        }

        void setConnected(List<PeerIncarnation> peers) {
            if (!peers.equals(connected)) {
                connected = peers;
                requireNonNull(listener).onPeersChanged(peers);
            }
        }

        @Override
        public void send(NodeId to, byte[] bytes) {
            sent.add(LogFrame.CODEC.read(bytes));
        }

        @Override
        public void close() {}
    }

    ManualRaftNode(ReplicatedLogConfig config) {
        var random = new SplittableRandom(1);
        log = new RaftLog(
                config,
                new LogEnvironment(
                        loop,
                        new SimulatedDisk(),
                        this::open,
                        Runnable::run,
                        random,
                        LogRecorder.NONE,
                        new NodeMetrics()));
        log.start(new RecordingStateMachine());
    }

    private Transport open(PeerHandshake ofLog) {
        handshake = ofLog;
        return transport;
    }

    /** These nodes are connected now, and no others. */
    void connect(HandshakeNode... peers) {
        var incarnations = Stream.of(peers)
                .map(peer -> requireNonNull(handshake).accept(peer.handshake.hello()))
                .toList();
        transport.setConnected(incarnations);
        loop.run();
    }

    /** A frame of a peer arrives. What the node submits to its loop waits for {@link #run}. */
    void receive(int from, LogFrame frame) {
        requireNonNull(transport.listener).onMessage(new PeerIncarnation(new NodeId(from), 1), frame.encode());
    }

    void receive(int from, RaftMessage message) {
        receive(from, new LogFrame.RaftFrame(message));
    }

    /** The leader of a term sends these entries. */
    void receiveEntries(int leader, long term, EntryId previous, long commitIndex, LogEntry.Content... contents) {
        var entries = Arrays.stream(contents)
                .map(content -> new LogEntry(term, content))
                .toList();
        receive(leader, new RaftMessage.AppendEntries(term, previous, entries, commitIndex, 0));
        loop.run();
    }

    /** Nodes 2 and 3 vote for this node. */
    void lead(long term) {
        loop.advance(LONGEST_ELECTION_TIMEOUT);
        receiveFromBoth(new RaftMessage.PreVoteGranted(log.term()));
        receiveFromBoth(new RaftMessage.VoteGranted(term));
    }

    /** Nodes 2 and 3 send the same. */
    void receiveFromBoth(RaftMessage message) {
        receive(2, message);
        receive(3, message);
        loop.run();
    }

    /** What the node has submitted to its loop, and what is due soon. */
    void run() {
        loop.advance(Duration.ofMillis(200));
    }

    <T extends LogFrame> List<T> sent(Class<T> type) {
        return sent.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** The members in the entries that were sent, each as often as it was sent. */
    List<LogEntry.Members> sentMembers() {
        return sent(LogFrame.RaftFrame.class).stream()
                .map(LogFrame.RaftFrame::message)
                .filter(RaftMessage.AppendEntries.class::isInstance)
                .flatMap(append -> ((RaftMessage.AppendEntries) append).entries().stream())
                .map(LogEntry::content)
                .filter(LogEntry.Members.class::isInstance)
                .map(LogEntry.Members.class::cast)
                .toList();
    }
}
