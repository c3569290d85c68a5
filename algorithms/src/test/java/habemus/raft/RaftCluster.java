package habemus.raft;

import habemus.election.VoteWeights;
import habemus.protocol.ByteString;
import habemus.protocol.Effect;
import habemus.protocol.EntryId;
import habemus.protocol.LogCall;
import habemus.protocol.LogEntry;
import habemus.protocol.LogReply;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.PersistentLog;
import habemus.protocol.Step;
import habemus.raft.RaftMessage.AppendEntries;
import habemus.raft.RaftState.DurableState;
import habemus.raft.RaftState.Mode;
import habemus.raft.RaftState.Progress;
import habemus.raft.RaftState.Role;
import habemus.raft.RaftState.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Nodes of {@link Raft} whose messages, timeouts and syncs a test orders by hand. By default, syncs take no time. */
final class RaftCluster {

    private static final Duration ELECTION_TIMEOUT = Duration.ofMillis(300);
    private static final Duration HEARTBEAT_INTERVAL = Duration.ofMillis(100);

    record InFlight(NodeId from, NodeId to, RaftMessage payload) {}

    private final Raft raft;
    private final List<NodeId> ids;
    private final Map<NodeId, RaftState> states = new TreeMap<>();
    private final List<InFlight> inFlight = new ArrayList<>();
    private final List<InFlight> delivered = new ArrayList<>();
    private final Map<Long, LogReply> replies = new TreeMap<>();
    private long nextId = 100;
    private LogReply lastReply = new LogReply.Indeterminate();
    private boolean syncsAtOnce = true;

    private RaftCluster(Raft raft, int size) {
        this.raft = raft;
        ids = IntStream.rangeClosed(1, size).mapToObj(NodeId::new).toList();
        ids.forEach(id -> carryOut(id, raft.start(neighbourhood(id))));
    }

    static RaftCluster of(int size) {
        var voters = nodes(IntStream.rangeClosed(1, size).toArray());
        var flow = new Raft.Flow(8, 4, 64);
        return new RaftCluster(
                new Raft(voters, VoteWeights.EQUAL, false, false, flow, ELECTION_TIMEOUT, HEARTBEAT_INTERVAL), size);
    }

    /** Nodes that restart in a term with logs whose entries have these terms. */
    static RaftCluster withLogs(long term, String... logs) {
        var cluster = of(logs.length);
        for (int i = 0; i < logs.length; i++) {
            var id = node(i + 1);
            var entries = Arrays.stream(logs[i].split(" "))
                    .map(each -> new LogEntry(Long.parseLong(each), new LogEntry.NoOp()))
                    .toList();
            var log = cluster.state(i + 1).log().append(entries);
            var disk = new DurableState(term, NodeSet.NONE, log, log.lastIndex(), ByteString.EMPTY);
            cluster.carryOut(id, cluster.raft.restart(cluster.neighbourhood(id), disk));
        }
        return cluster;
    }

    RaftCluster withVoters(int... voters) {
        return with(nodes(voters), raft.preVote(), raft.checkQuorum(), raft.flow());
    }

    RaftCluster withPreVote() {
        return with(raft.initialVoters(), true, raft.checkQuorum(), raft.flow());
    }

    RaftCluster withCheckQuorum() {
        return with(raft.initialVoters(), raft.preVote(), true, raft.flow());
    }

    RaftCluster withFlow(Raft.Flow flow) {
        return with(raft.initialVoters(), raft.preVote(), raft.checkQuorum(), flow);
    }

    private RaftCluster with(NodeSet voters, boolean preVote, boolean checkQuorum, Raft.Flow flow) {
        var next =
                new Raft(voters, VoteWeights.EQUAL, preVote, checkQuorum, flow, ELECTION_TIMEOUT, HEARTBEAT_INTERVAL);
        return new RaftCluster(next, ids.size());
    }

    static NodeId node(int number) {
        return new NodeId(number);
    }

    static NodeSet nodes(int... numbers) {
        return NodeSet.of(Arrays.stream(numbers).mapToObj(NodeId::new).toList());
    }

    /** One entry of this term after the entry with this index and term. */
    static AppendEntries append(long term, long previousIndex, long previousTerm, long entryTerm) {
        var entry = new LogEntry(entryTerm, new LogEntry.NoOp());
        return new AppendEntries(term, new EntryId(previousIndex, previousTerm), List.of(entry), 0, 0);
    }

    static Mode replicatingFrom(long nextIndex, Long... inFlight) {
        return new Mode.Replicating(nextIndex, List.of(inFlight));
    }

    private Neighbourhood neighbourhood(NodeId self) {
        return new Neighbourhood(
                self, ids.stream().filter(id -> !id.equals(self)).toList());
    }

    // ---- what happens ----

    void campaign(int node) {
        electionTimeout(node);
    }

    void electionTimeout(int node) {
        carryOut(node(node), raft.timeout(state(node), Timer.ELECTION_TIMEOUT));
    }

    void heartbeat(int node) {
        carryOut(node(node), raft.timeout(state(node), Timer.HEARTBEAT));
    }

    void propose(int node, String command) {
        call(node, new LogCall.Propose(List.of(new LogCall.Proposal(nextId++, ByteString.ofText(command)))));
    }

    void call(int node, LogCall call) {
        carryOut(node(node), raft.call(state(node), call));
    }

    void receive(int node, int from, RaftMessage message) {
        carryOut(node(node), raft.receive(state(node), node(from), message));
    }

    /** From now on, only {@link #sync} syncs. */
    void holdSyncs() {
        syncsAtOnce = false;
    }

    void sync(int node, EntryId last) {
        carryOut(node(node), raft.synced(state(node), last));
    }

    void deliverAll() {
        deliver(message -> true);
    }

    /** Delivers messages to these nodes, and those that they cause, until none is left. */
    void deliverTo(int... nodes) {
        deliver(message -> nodes(nodes).contains(message.to));
    }

    private void deliver(Predicate<InFlight> which) {
        var next = inFlight.stream().filter(which).findFirst();
        while (next.isPresent()) {
            var message = next.get();
            inFlight.remove(message);
            delivered.add(message);
            carryOut(message.to, raft.receive(states.get(message.to), message.from, message.payload));
            next = inFlight.stream().filter(which).findFirst();
        }
    }

    void dropTo(int node) {
        drop(message -> message.to.number() == node);
    }

    void drop(Predicate<InFlight> which) {
        inFlight.removeIf(which);
    }

    private void carryOut(NodeId id, Step<RaftState, RaftMessage> step) {
        states.put(id, step.state());
        for (var effect : step.effects()) {
            switch (effect) {
                case Effect.Send<RaftMessage>(var to, var message) -> inFlight.add(new InFlight(id, to, message));
                case Effect.SendAll<RaftMessage>(var to, var message) ->
                    to.forEach(each -> inFlight.add(new InFlight(id, each, message)));
                case Effect.Reply<RaftMessage>(var call, var reply) -> {
                    replies.put(call, reply);
                    lastReply = reply;
                }
                default -> {}
            }
        }
        var view = raft.view(step.state());
        if (syncsAtOnce && !view.isSynced()) {
            carryOut(id, raft.synced(step.state(), view.log().last()));
        }
    }

    // ---- what is seen ----

    RaftState state(int node) {
        return states.get(node(node));
    }

    List<Integer> leaders() {
        return ids.stream()
                .filter(id -> states.get(id).role() instanceof Role.Leading)
                .map(NodeId::number)
                .toList();
    }

    List<Long> terms(int node) {
        PersistentLog log = state(node).log();
        return log.entries(log.baseIndex() + 1, log.lastIndex()).stream()
                .map(LogEntry::term)
                .toList();
    }

    private Progress progress(int leader, int node) {
        return ((Role.Leading) state(leader).role())
                .peers().stream()
                        .filter(peer -> peer.node().equals(node(node)))
                        .findFirst()
                        .orElseThrow();
    }

    Mode mode(int leader, int node) {
        return progress(leader, node).mode();
    }

    long matchIndex(int leader, int node) {
        return progress(leader, node).matchIndex();
    }

    LogReply reply(long id) {
        return replies.get(id);
    }

    LogReply lastReply() {
        return lastReply;
    }

    List<InFlight> inFlight() {
        return List.copyOf(inFlight);
    }

    List<InFlight> inFlight(Class<? extends RaftMessage> type) {
        return inFlight.stream()
                .filter(message -> type.isInstance(message.payload))
                .toList();
    }

    List<InFlight> delivered(Class<? extends RaftMessage> type) {
        return delivered.stream()
                .filter(message -> type.isInstance(message.payload))
                .toList();
    }
}
