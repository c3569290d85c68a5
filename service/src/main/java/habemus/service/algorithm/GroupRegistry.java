package habemus.service.algorithm;

import habemus.catalogue.AlgorithmSpec;
import habemus.codec.Codec;
import habemus.concurrent.EventLoop;
import habemus.protocol.Durable;
import habemus.protocol.Election;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.Protocol;
import habemus.service.runtime.DurableStateStore;
import habemus.service.runtime.ProtocolRunner.Persistence;
import habemus.service.storage.DurableStateFile;
import habemus.service.trace.StepRecorder;
import habemus.service.trace.TraceHeader;
import habemus.service.trace.TraceWriter;
import habemus.service.transport.PeerIncarnation;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Creates and holds the groups of a node. Only on the event loop. */
final class GroupRegistry implements AutoCloseable {

    /** How often a trace records that its node is up. */
    private static final Duration ALIVE_INTERVAL = Duration.ofMillis(100);

    private final AlgorithmNodeConfig config;
    private final PeerIncarnation self;
    private final EventLoop loop;
    private final Group.NodeServices nodeServices;
    private final Map<GroupId, Group<?, ?>> groups = new LinkedHashMap<>(); // the oldest first
    private boolean isClosed;

    GroupRegistry(AlgorithmNodeConfig config, PeerIncarnation self, EventLoop loop, Group.NodeServices nodeServices) {
        this.config = config;
        this.self = self;
        this.loop = loop;
        this.nodeServices = nodeServices;
        if (config.traceFolder().isPresent()) {
            loop.schedule(ALIVE_INTERVAL, this::recordAlive);
        }
    }

    private void recordAlive() {
        if (!isClosed) {
            groups.values().forEach(group -> group.runner.recordAlive());
            loop.schedule(ALIVE_INTERVAL, this::recordAlive);
        }
    }

    Optional<Group<?, ?>> find(GroupId id) {
        return Optional.ofNullable(groups.get(id));
    }

    Group<?, ?> start(GroupId id) {
        var spec = config.algorithm(id.problem());
        int nodes = config.members().size();
        var neighbourhood = spec.topology(nodes).neighbourhood(self.node());
        var group = create(id, spec, spec.protocol(nodes), neighbourhood);
        groups.put(id, group);
        group.runner.start();
        return group;
    }

    private <S, M> Group<S, M> create(
            GroupId id, AlgorithmSpec spec, Protocol<S, M> protocol, Neighbourhood neighbourhood) {
        var dependencies = new Group.Dependencies<S, M>(
                nodeServices, new Persistence<>(stateStore(id, protocol), recorder(id, spec, protocol)), loop);
        return switch (protocol) {
            case Mutex<S, M> mutex -> new LockGroup<>(id, spec, mutex, neighbourhood, dependencies);
            case Election<S, M> election -> new ElectionGroup<>(id, spec, election, neighbourhood, dependencies);
            default -> throw new IllegalArgumentException("the algorithm must be a lock or an election, was " + spec);
        };
    }

    private <S, M> DurableStateStore<S, M> stateStore(GroupId id, Protocol<S, M> protocol) {
        return protocol instanceof Durable<S, M, ?> durable
                        && config.dataFolder().isPresent()
                ? stateStore(id, durable)
                : DurableStateStore.none();
    }

    private <S, M, D> DurableStateStore<S, M> stateStore(GroupId id, Durable<S, M, D> durable) {
        var file = config.dataFolder().orElseThrow().resolve(id.fileName() + ".memory");
        return DurableStateStore.of(durable, new DurableStateFile<>(file, Codec.ofDurableStates(durable)));
    }

    private <S, M> StepRecorder<S, M> recorder(GroupId id, AlgorithmSpec spec, Protocol<S, M> protocol) {
        int nodes = config.members().size();
        var header = new TraceHeader(id.problem(), id.name(), spec.text(), nodes, self.node(), self.incarnation());
        return config.traceFolder()
                .map(folder -> folder.resolve(
                        id.fileName() + "." + self.node() + "." + self.incarnation() + TraceHeader.FILE_SUFFIX))
                .<StepRecorder<S, M>>map(file -> new TraceWriter<>(file, header, protocol))
                .orElseGet(StepRecorder::none);
    }

    void forEach(Consumer<Group<?, ?>> action) {
        groups.values().forEach(action);
    }

    List<GroupStatus> statuses() {
        return groups.values().stream().map(group -> group.describe()).toList();
    }

    @Override
    public void close() {
        isClosed = true;
        groups.values().forEach(group -> group.runner.stop());
    }
}
