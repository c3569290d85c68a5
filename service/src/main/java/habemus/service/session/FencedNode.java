package habemus.service.session;

import habemus.fenced.Parcel;
import habemus.service.log.GroupLog;
import habemus.service.log.Log;
import habemus.service.log.LogConfig;
import habemus.service.log.MemoryLog;
import habemus.service.net.Member;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node of the lock service: its log, its reception, and the door for clients. */
public final class FencedNode implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FencedNode.class);

    private final FencedConfig config;
    private final Log log;
    private final Access access;
    private final Reception reception;
    private final SocketDoor door;
    private final CompletableFuture<Failure> failure = new CompletableFuture<>();

    private FencedNode(FencedConfig config, Log log) {
        this.config = config;
        this.log = log;
        access = config.policy().map(Access::of).orElseGet(Access::open);
        reception = new Reception(config.me(), log, access, config.limits());
        var tls = config.tls().map(Tls::of);
        reception.start();
        door = new SocketDoor(reception, config.door(), this::welcome, tls, SocketDoor.Patience.STANDARD);
    }

    /**
     * Returns when clients can connect; whether they are served depends on the other nodes.
     *
     * @throws habemus.service.disk.Damaged if what it has on disk is not what it wrote
     * @throws IllegalArgumentException if there is something wrong with the config
     * @throws IllegalStateException if it cannot listen somewhere
     */
    public static FencedNode start(FencedConfig config) {
        var log = config.data()
                .<Log>map(folder -> new GroupLog(logConfig(config, folder)))
                .orElseGet(() -> new MemoryLog(new MemoryLog.Shared(config.members()), config.me()));
        return start(config, log);
    }

    private static LogConfig logConfig(FencedConfig config, Path folder) {
        var log = LogConfig.of(config.members(), config.me(), folder)
                .named(config.cluster())
                .keeping(config.secrecy())
                .compactingAfter(config.room());
        return config.joining() ? log.joiningOthers() : log;
    }

    static FencedNode start(FencedConfig config, Log log) {
        try {
            var node = new FencedNode(config, log);
            node.open();
            return node;
        } catch (RuntimeException refused) {
            log.close();
            throw refused;
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // they only stop it
    private void open() {
        if (config.data().isEmpty()) { // of what is on disk the log itself says so
            LOG.warn("{}: NOT FAULT TOLERANT: all is in memory, and lost with this process", config.me());
        }
        door.open();
        LOG.info("{} serves clients at {}", config.me(), door());
        reception.failure().thenAccept(this::stop);
        log.failure().thenAccept(why -> stop(new Failure(why, reception.table())));
    }

    /** Its clients go elsewhere. */
    private void stop(Failure why) {
        if (failure.complete(why)) {
            LOG.error("{} stops: {}", config.me(), why);
            Thread.ofPlatform().name("end").start(this::close);
        }
    }

    /** This door first, then that of whoever leads, which may be this one again; then all others. */
    private Parcel.Welcome welcome() {
        var members = log.members();
        var leading = reception.leader().stream()
                .flatMap(leader ->
                        members.stream().filter(member -> member.node().equals(leader)))
                .map(this::doorOf)
                .findFirst()
                .orElse(door());
        var doors = new ArrayList<>(List.of(door(), leading));
        members.stream()
                .map(this::doorOf)
                .filter(other -> !doors.contains(other))
                .forEach(doors::add);
        return new Parcel.Welcome(Parcel.VERSION, config.me().toString(), List.copyOf(doors), log.isFaultTolerant());
    }

    /** As far above its port as ours is above ours. */
    private String doorOf(Member member) {
        if (member.node().equals(config.me())) {
            return door();
        }
        var here = here().address();
        int above =
                config.door().getPort() == 0 ? FencedConfig.DOOR : config.door().getPort() - here.getPort();
        return member.address().getHostString() + ":" + (member.address().getPort() + above);
    }

    private Member here() {
        return config.members().stream()
                .filter(member -> member.node().equals(config.me()))
                .findFirst()
                .orElseThrow();
    }

    /** Where clients connect. If it listens everywhere, where the other nodes find it. */
    public String door() {
        var address = door.address();
        var host = address.getAddress().isAnyLocalAddress() ? here().address() : address;
        return host.getHostString() + ":" + address.getPort();
    }

    public FencedConfig config() {
        return config;
    }

    /** For other doors of the same node. */
    public Reception reception() {
        return reception;
    }

    public Access access() {
        return access;
    }

    public Log log() {
        return log;
    }

    public Counts counts() {
        return reception.counts();
    }

    public InetSocketAddress address() {
        return door.address();
    }

    /** Completed, with why, if it has stopped by itself. */
    public CompletableFuture<Failure> failure() {
        return failure;
    }

    @Override
    public void close() {
        door.close();
        log.close();
        reception.close();
    }
}
