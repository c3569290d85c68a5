package habemus.service.recording;

import habemus.election.VoteWeights;
import habemus.lockservice.ClientInfo;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Operation;
import habemus.lockservice.Quotas;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.protocol.LockServer;
import habemus.lockservice.protocol.Message;
import habemus.lockservice.storage.StorageFormat;
import habemus.lockservice.table.LockTable;
import habemus.protocol.ByteString;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.LogCall;
import habemus.protocol.LogEntry;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Step;
import habemus.raft.Raft;
import habemus.raft.RaftMessage;
import habemus.raft.RaftState;
import habemus.service.raft.ApplicationContent;
import habemus.service.raft.LogPayloads;
import habemus.service.transport.Member;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** Three recorded nodes that run the machines in memory. A {@link Defect} changes what a machine answers. */
final class RecordedMachines {

    static final NodeId N1 = new NodeId(1);
    static final NodeId N2 = new NodeId(2);
    static final NodeId N3 = new NodeId(3);
    static final NodeId CLIENT = new NodeId(7);
    static final NodeId OTHER_CLIENT = new NodeId(8);

    private static final Duration TIMEOUT = Duration.ofMillis(500);
    private static final Raft RAFT = new Raft(
            NodeSet.NONE, VoteWeights.EQUAL, true, true, new Raft.Flow(10, 10, 1 << 20), TIMEOUT, TIMEOUT.dividedBy(5));
    private static final LockServer SERVER = new LockServer(TIMEOUT, TIMEOUT, Quotas.UNLIMITED);

    /** Changes the steps of a node. */
    interface Defect {

        default Step<RaftState, RaftMessage> log(
                NodeId node, Event<RaftMessage> event, Step<RaftState, RaftMessage> right) {
            return right;
        }

        default Step<LockServer.State, Message> server(
                NodeId node, ServerInput input, Step<LockServer.State, Message> right) {
            return right;
        }
    }

    private record InFlight(NodeId from, NodeId to, RaftMessage message) {}

    private final class Node {
        private final NodeId id;
        private final NodeRecorder recorder;
        private RaftState log;
        private LockServer.State server;

        Node(NodeId id, RaftState.DurableState disk) {
            this.id = id;
            var neighbourhood = new Neighbourhood(id, List.of());
            recorder = NodeRecorder.create(folder, "test", id, 3, clock::incrementAndGet);
            recorder.onStart(SERVER);
            server = SERVER.start(neighbourhood).state();
            var step = RAFT.restart(neighbourhood, disk);
            recorder.onStart(RAFT, disk, step);
            log = step.state();
            execute(step);
        }

        void step(Event<RaftMessage> event) {
            var step = defect.log(id, event, RAFT.step(log, event));
            recorder.onStep(event, step);
            log = step.state();
            execute(step);
        }

        private void execute(Step<RaftState, RaftMessage> step) {
            for (var effect : step.effects()) {
                switch (effect) {
                    case Effect.Send<RaftMessage>(var to, var message) -> network.add(new InFlight(id, to, message));
                    case Effect.SendAll<RaftMessage>(var to, var message) ->
                        to.forEach(each -> network.add(new InFlight(id, each, message)));
                    case Effect.Apply<RaftMessage>(var first, var entries) -> entries.forEach(this::apply);
                    case Effect.Load<RaftMessage>(var index, var snapshot) ->
                        receiveFromLog(new Message.SnapshotInstalled(
                                StorageFormat.decodeTable(ApplicationContent.of(snapshot))));
                    case Effect.Elected<RaftMessage>(var leader, var term) ->
                        receiveFromLog(new Message.LeadershipChanged(leader.equals(id)));
                    case Effect.Lost<RaftMessage>() -> receiveFromLog(new Message.LeadershipChanged(false));
                    default -> {}
                }
            }
        }

        private void apply(LogEntry entry) {
            ApplicationContent.of(entry)
                    .ifPresent(bytes -> receiveFromLog(new Message.Committed(StorageFormat.decodeBatch(bytes))));
        }

        private void receiveFromLog(Message.LogMessage message) {
            execute(ServerInput.FROM_LOG, SERVER.receive(server, LockServer.LOG, message));
        }

        void request(NodeId client, Message.ClientRequest request) {
            execute(new ServerInput.Requested(client, request), SERVER.receive(server, client, request));
        }

        private void execute(ServerInput input, Step<LockServer.State, Message> right) {
            var step = defect.server(id, input, right);
            recorder.onStep(input, step);
            server = step.state();
            for (var effect : step.effects()) {
                if (effect instanceof Effect.Send<Message>(var to, Message.Propose(var commands))) {
                    var entry = StorageFormat.encode(new CommandBatch(0, commands));
                    step(new Event.Call<>(
                            new LogCall.Propose(List.of(new LogCall.Proposal(0, LogPayloads.entry(id, entry))))));
                }
            }
        }

        boolean isUnsynced() {
            return log.durable().syncedIndex() < log.durable().log().lastIndex();
        }
    }

    private final Path folder;
    private final Defect defect;
    private final AtomicLong clock = new AtomicLong(1_000_000);
    private final List<Member> members = Member.parse("n1=127.0.0.1:1,n2=127.0.0.1:2,n3=127.0.0.1:3");
    private final Map<NodeId, Node> nodes = new TreeMap<>();
    private final ArrayDeque<InFlight> network = new ArrayDeque<>();

    RecordedMachines(Path folder, Defect defect) {
        this.folder = folder;
        this.defect = defect;
    }

    /** The snapshot of a table. */
    ByteString snapshot(LockTable table) {
        return LogPayloads.snapshot(members, StorageFormat.encode(table));
    }

    /** Forms a cluster, elects n1, and grants a lock twice. Then stops. */
    static void run(Path folder, Defect defect) {
        var machines = new RecordedMachines(folder, defect);
        machines.elect();
        machines.useLock();
        machines.stop();
    }

    void elect() {
        var disk = LogPayloads.firstState(members, StorageFormat.encode(LockTable.EMPTY));
        nodes.put(N1, new Node(N1, disk));
        nodes.put(N2, new Node(N2, LogPayloads.emptyState()));
        nodes.put(N3, new Node(N3, LogPayloads.emptyState()));
        step(N1, new Event.Timeout<>(RaftState.Timer.ELECTION_TIMEOUT));
    }

    void useLock() {
        long first = open(CLIENT, 1);
        long second = open(OTHER_CLIENT, 2);
        submit(CLIENT, first, 1, Operation.Acquire.of(ResourceShare.exclusive("orders")));
        submit(OTHER_CLIENT, second, 1, Operation.Acquire.of(ResourceShare.exclusive("orders")));
        submit(CLIENT, first, 2, new Operation.Release(1));
        submit(OTHER_CLIENT, second, 2, new Operation.Release(1));
    }

    private long open(NodeId client, long nonce) {
        request(client, new Message.OpenSession(nonce, new ClientInfo("test", "here", nonce), TIMEOUT));
        return node(N1).server.table().index();
    }

    private void submit(NodeId client, long session, long number, Operation operation) {
        request(client, new Message.Submit(session, number, 0, operation));
    }

    private void request(NodeId client, Message.ClientRequest request) {
        node(N1).request(client, request);
        settle();
    }

    void step(NodeId node, Event<RaftMessage> event) {
        node(node).step(event);
        settle();
    }

    /** Delivers all messages, and syncs whenever none is in flight. */
    private void settle() {
        boolean isBusy = true;
        while (isBusy) {
            for (var next = network.poll(); next != null; next = network.poll()) {
                node(next.to).step(new Event.Received<>(next.from, next.message));
            }
            isBusy = false;
            for (Node node : nodes.values()) {
                if (node.isUnsynced()) {
                    isBusy = true;
                    node.step(new Event.Synced<>(node.log.durable().log().last()));
                }
            }
        }
    }

    RaftState log(NodeId node) {
        return node(node).log;
    }

    LockTable table(NodeId node) {
        return node(node).server.table();
    }

    private Node node(NodeId id) {
        return Objects.requireNonNull(nodes.get(id));
    }

    /** Starts a node again, with this disk. */
    void restart(NodeId node, RaftState.DurableState disk) {
        node(node).recorder.close();
        nodes.put(node, new Node(node, disk));
        settle();
    }

    void stop() {
        nodes.values().forEach(node -> node.recorder.close());
    }
}
