package habemus.service.node;

import habemus.catalogue.Recipe;
import habemus.protocol.Durable;
import habemus.protocol.Election;
import habemus.protocol.Mutex;
import habemus.protocol.Place;
import habemus.protocol.Protocol;
import habemus.service.disk.MemoryFile;
import habemus.service.loop.Keeper;
import habemus.service.loop.Loop.Keeping;
import habemus.service.net.Peer;
import habemus.service.record.Recorder;
import habemus.service.record.TraceHead;
import habemus.service.record.TraceWriter;
import habemus.wire.Codec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** All groups of a node, and what makes them. */
final class Groups implements AutoCloseable {

    /** How often a trace says that its node is up, in milliseconds. */
    private static final long MARK = 100;

    private final NodeConfig config;
    private final Peer self;
    private final ScheduledExecutorService ticker;
    private final Group.Host host;
    private final Map<GroupId, Group<?, ?>> groups = new ConcurrentHashMap<>();

    Groups(NodeConfig config, Peer self, ScheduledExecutorService ticker, Group.Host host) {
        this.config = config;
        this.self = self;
        this.ticker = ticker;
        this.host = host;
        if (config.record().isPresent()) {
            markEverySoOften();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it goes on until the ticker stops
    private void markEverySoOften() {
        ticker.scheduleWithFixedDelay(
                () -> groups.values().forEach(group -> group.loop.mark()), MARK, MARK, TimeUnit.MILLISECONDS);
    }

    Optional<Group<?, ?>> find(GroupId id) {
        return Optional.ofNullable(groups.get(id));
    }

    Group<?, ?> begin(GroupId id) {
        var recipe = config.recipe(id.problem());
        int nodes = config.members().size();
        var place = recipe.topology(nodes).place(self.node());
        var group = make(id, recipe, recipe.protocol(nodes), place);
        groups.put(id, group);
        group.loop.start();
        return group;
    }

    private <S, M> Group<S, M> make(GroupId id, Recipe recipe, Protocol<S, M> protocol, Place place) {
        var around = new Group.Surroundings<S, M>(
                host, new Keeping<>(keeper(id, protocol), recorder(id, recipe, protocol)), ticker);
        return switch (protocol) {
            case Mutex<S, M> mutex -> new LockGroup<>(id, recipe, mutex, place, around);
            case Election<S, M> election -> new ElectionGroup<>(id, recipe, election, place, around);
            default -> throw new IllegalArgumentException(recipe + " is neither a lock nor an election");
        };
    }

    private <S, M> Keeper<S, M> keeper(GroupId id, Protocol<S, M> protocol) {
        return protocol instanceof Durable<S, M, ?> durable && config.data().isPresent()
                ? keeper(id, durable)
                : Keeper.none();
    }

    private <S, M, D> Keeper<S, M> keeper(GroupId id, Durable<S, M, D> durable) {
        var file = config.data().orElseThrow().resolve(id.fileName() + ".memory");
        return Keeper.of(durable, new MemoryFile<>(file, Codec.ofMemories(durable)));
    }

    private <S, M> Recorder<S, M> recorder(GroupId id, Recipe recipe, Protocol<S, M> protocol) {
        int nodes = config.members().size();
        var head = new TraceHead(id.problem(), id.name(), recipe.text(), nodes, self.node(), self.incarnation());
        return config.record()
                .map(folder -> folder.resolve(id.fileName() + "." + self.node() + "." + self.incarnation() + ".trace"))
                .<Recorder<S, M>>map(file -> new TraceWriter<>(file, head, protocol))
                .orElseGet(Recorder::none);
    }

    void forEach(Consumer<Group<?, ?>> what) {
        groups.values().forEach(what);
    }

    CompletableFuture<List<Account>> accounts() {
        var all = groups.values().stream().map(Group::account).toList();
        return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> all.stream().map(CompletableFuture::join).toList());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nothing of it can fail
    void account(Consumer<List<Account>> listener) {
        accounts().thenAccept(listener);
    }

    @Override
    public void close() {
        groups.values().forEach(group -> group.loop.stop());
    }
}
