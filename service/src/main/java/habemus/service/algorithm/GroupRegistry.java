package habemus.service.algorithm;

import habemus.catalogue.AlgorithmSpec;
import habemus.codec.Codec;
import habemus.concurrent.EventLoop;
import habemus.protocol.Durable;
import habemus.protocol.Election;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.service.runtime.DurableStateStore;
import habemus.service.runtime.ProtocolRunner.Persistence;
import habemus.service.runtime.ProtocolRunner.StartView;
import habemus.service.storage.DurableStateFile;
import habemus.service.trace.StepRecorder;
import habemus.service.trace.TraceHeader;
import habemus.service.trace.TraceWriter;
import habemus.service.transport.PeerIncarnation;
import java.nio.file.Files;
import java.nio.file.Path;
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
    private final ViewHistoryFile views;
    private boolean isClosed;

    GroupRegistry(AlgorithmNodeConfig config, PeerIncarnation self, EventLoop loop, Group.NodeServices nodeServices) {
        this.config = config;
        this.self = self;
        this.loop = loop;
        this.nodeServices = nodeServices;
        views = new ViewHistoryFile(config.dataFolder());
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

    /**
     * Starts a group in the latest view.
     *
     * <p>If the members have changed before, it starts in the view before, with the members that both views have, and
     * then learns of the last change. So an algorithm that numbers its views knows the latest. A group with durable
     * state starts in the view of that state, and then learns of all changes since.
     */
    Group<?, ?> start(GroupId id, ViewHistory known) {
        var spec = config.algorithm(id.problem());
        var group = create(id, spec, spec.protocol(known.first().size()), known);
        groups.put(id, group);
        var startView = startView(id, spec, known);
        if (startView.view() > 0) {
            views.saveView(id, (int) startView.view());
        }
        group.runner.start(startView);
        for (int view = (int) startView.view() + 1; view <= known.view(); view++) {
            changeView(id, group, known.change(view), view);
        }
        return group;
    }

    private StartView startView(GroupId id, AlgorithmSpec spec, ViewHistory known) {
        int view = known.view();
        if (config.dataFolder().isPresent() && Files.exists(stateFile(id))) {
            int stored = views.loadView(id);
            return new StartView(neighbourhood(spec, known, stored), stored, false);
        }
        if (!known.isFirst(self.node())) {
            return new StartView(neighbourhood(known.nodes()), view, true);
        }
        return view == 0
                ? new StartView(neighbourhood(spec, known, 0), 0, false)
                : new StartView(neighbourhood(known.nodes(view - 1).intersection(known.nodes())), view - 1, false);
    }

    private Neighbourhood neighbourhood(AlgorithmSpec spec, ViewHistory known, int view) {
        return view == 0 && known.isFirst(self.node())
                ? spec.topology(known.first().size()).neighbourhood(self.node())
                : neighbourhood(known.nodes(view));
    }

    private Neighbourhood neighbourhood(NodeSet nodes) {
        return new Neighbourhood(self.node(), nodes.without(self.node()).toList());
    }

    /** All groups learn of a change. */
    void changeView(ViewHistory.Change change, int view) {
        groups.forEach((id, group) -> changeView(id, group, change, view));
    }

    private void changeView(GroupId id, Group<?, ?> group, ViewHistory.Change change, int view) {
        group.changeView(change.node(), change.joins(), view);
        if (config.dataFolder().isPresent() && Files.exists(stateFile(id))) {
            group.runner.submit(() -> views.saveView(id, view));
        }
    }

    private Path stateFile(GroupId id) {
        return config.dataFolder().orElseThrow().resolve(id.fileName() + ".memory");
    }

    boolean areIdle() {
        return groups.values().stream().allMatch(Group::isIdle);
    }

    private <S, M> Group<S, M> create(GroupId id, AlgorithmSpec spec, Protocol<S, M> protocol, ViewHistory known) {
        var persistence = new Persistence<>(
                stateStore(id, protocol),
                recorder(id, spec, protocol, known.first().size()));
        var dependencies = new Group.Dependencies<S, M>(nodeServices, persistence, loop);
        var neighbourhood =
                known.isFirst(self.node()) ? neighbourhood(spec, known, 0) : new Neighbourhood(self.node(), List.of());
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
        return DurableStateStore.of(durable, new DurableStateFile<>(stateFile(id), Codec.ofDurableStates(durable)));
    }

    private <S, M> StepRecorder<S, M> recorder(GroupId id, AlgorithmSpec spec, Protocol<S, M> protocol, int nodes) {
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
