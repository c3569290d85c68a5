package habemus.harness.simulation;

import static java.util.Objects.requireNonNull;

import habemus.lockservice.protocol.ClientFrame;
import habemus.protocol.NodeId;
import habemus.service.log.ReplicatedLog;
import habemus.service.metrics.NodeMetrics;
import habemus.service.raft.LogEnvironment;
import habemus.service.raft.LogObserver;
import habemus.service.raft.RaftLog;
import habemus.service.raft.ReplicatedLogConfig;
import habemus.service.raft.StartMode;
import habemus.service.recording.ServerRecorder;
import habemus.service.server.AccessPolicy;
import habemus.service.server.HeapGuard;
import habemus.service.server.LockServerLoop;
import habemus.service.simulation.SimulatedDisk;
import habemus.service.storage.CorruptFileException;
import habemus.service.transport.Member;
import habemus.service.transport.TransportSecurity;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A simulated node of the service, from life to life: the real log and the real lock server on a virtual loop and a
 * simulated disk.
 */
final class SimulatedNode {

    /** What the node is. */
    enum Status {
        /** Not started, or removed from the cluster. */
        ABSENT,
        RUNNING,
        /** Ended; it starts again with its files. */
        DOWN,
        /** Its data is lost; it has to be removed, and to join again. */
        LOST
    }

    static final long FIRST_FENCE = 1_000_000;

    private static final int PORT = 7_600;
    private static final int CLIENT_PORT_OFFSET = 300;
    private static final long FIRST_MILLIS = 1_790_000_000_000L; // of the wall clock
    private static final long MIN_SYNC_NANOS = 50_000;
    private static final long MAX_SYNC_NANOS = 500_000;

    private final ServiceWorld world;
    private final NodeId id;
    private final SplittableRandom random;
    private final Map<NodeId, Long> acceptedPeers = new TreeMap<>(); // the incarnation that this node has accepted
    private SimulatedDisk disk = new SimulatedDisk();
    private StartMode mode = StartMode.BOOTSTRAP;
    private Status status = Status.ABSENT;
    private @Nullable Life life;
    private boolean isAmnesiac;
    private boolean isDiskFaulty;
    private boolean isDamaged; // a fault has changed its files
    private boolean hasStarted;
    private int lives;
    private int folderStarts; // of its current folder
    private long slowSyncNanos;

    SimulatedNode(ServiceWorld world, int number, SplittableRandom random) {
        this.world = world;
        this.random = random;
        id = new NodeId(number);
    }

    /** One life: from the start of the process to its end. */
    private final class Life implements ObservedLog.Witness {
        private final VirtualLoop loop = new VirtualLoop(world.time(), drawRate(random), random.nextLong(1L << 40));
        private final NodeMetrics metrics = new NodeMetrics();
        private final VirtualNetwork.Host host = world.network().start(process(), loop);
        private @Nullable ReplicatedLog log;
        private @Nullable LockServerLoop lockServer;
        private long appliedIndex;

        void start() {
            disk.setSyncListener(() -> loop.block(random.nextLong(MIN_SYNC_NANOS, MAX_SYNC_NANOS + slowSyncNanos)));
            disk.setPowerListener(() -> onPowerFailed(this));
            loop.execute(this::begin);
        }

        private void begin() {
            try {
                var opened = world.engine()
                        .<ReplicatedLog>map(engine ->
                                engine.open(new SimulatedEngine.Host(id, loop, this::runInBackground, random.split())))
                        .orElseGet(() -> new RaftLog(config(), environment()));
                log = opened;
                var server = new LockServerLoop(
                        id,
                        new LockServerLoop.Environment(
                                loop, this::wallClock, HeapGuard.NONE, ServerRecorder.NONE, metrics),
                        new ObservedLog(opened, this),
                        AccessPolicy.allowAll(),
                        world.limits());
                lockServer = server;
                watch(opened, server);
                server.start(FIRST_FENCE);
                var port = new VirtualClientPort(server, this::welcome, world.history());
                host.setClientAcceptor(port);
                server.setLeaderListener(port::resendWelcome);
            } catch (SimulatedDisk.PowerFailureException powerless) {
                return; // the disk has reported it
            } catch (IllegalStateException | UncheckedIOException refused) {
                onStopped(this, refused);
            }
        }

        @SuppressWarnings("FutureReturnValueIgnored") // the callbacks end the process
        private void watch(ReplicatedLog opened, LockServerLoop server) {
            opened.failure().thenAccept(cause -> world.time().after(0, () -> onStopped(this, cause)));
            server.failure().thenAccept(failure -> world.time().after(0, () -> onStopped(this, failure.cause())));
        }

        private LogEnvironment environment() {
            return new LogEnvironment(
                    loop,
                    disk,
                    handshake -> new VirtualTransport(
                            id,
                            handshake,
                            world.network(),
                            host,
                            peer -> acceptedPeers.merge(peer.node(), peer.incarnation(), Math::max)),
                    this::runInBackground,
                    random.split(),
                    LogObserver.recorder(world.logSafety().of(id)),
                    metrics);
        }

        private void runInBackground(Runnable task) {
            world.time().after(random.nextLong(1_000_000, 50_000_000), () -> {
                if (!loop.isEnded()) {
                    task.run();
                }
            });
        }

        private Instant wallClock() {
            return Instant.ofEpochMilli(FIRST_MILLIS + loop.virtualNow() / 1_000_000);
        }

        private ClientFrame.Welcome welcome() {
            var members = log().members();
            var addresses = new ArrayList<String>();
            addresses.add(clientAddress(id));
            addresses.add(clientAddress(lockServer().leader().orElse(id)));
            members.stream()
                    .map(member -> clientAddress(member.node()))
                    .filter(address -> !addresses.contains(address))
                    .forEach(addresses::add);
            return new ClientFrame.Welcome(
                    ClientFrame.VERSION, log().clusterId(), id.toString(), List.copyOf(addresses), true);
        }

        ReplicatedLog log() {
            return requireNonNull(log);
        }

        LockServerLoop lockServer() {
            return requireNonNull(lockServer);
        }

        @Override
        public void onApply(long index, byte[] entry) {
            appliedIndex = index;
            world.history().onApply(id, index, entry);
        }

        @Override
        public void onIdle() {
            world.history().verify(id, appliedIndex, lockServer().table());
        }

        @Override
        public void onSnapshot(byte[] snapshot) {
            world.history().verifySnapshot(id, snapshot);
        }

        @Override
        public void onRestore(byte[] snapshot) {
            appliedIndex = world.history().verifySnapshot(id, snapshot);
        }
    }

    /** A clock that runs up to a twentieth too fast or too slow. */
    static double drawRate(SplittableRandom random) {
        return 0.95 + 0.1 * random.nextDouble();
    }

    static Member member(int number) {
        return new Member(new NodeId(number), new InetSocketAddress("10.0.0." + number, PORT));
    }

    static String clientAddress(NodeId node) {
        return "10.0.0." + node.number() + ":" + (PORT + CLIENT_PORT_OFFSET);
    }

    NodeId id() {
        return id;
    }

    int process() {
        return VirtualTransport.process(id);
    }

    Status status() {
        return status;
    }

    boolean isRunning() {
        return status == Status.RUNNING;
    }

    boolean isAmnesiac() {
        return isAmnesiac;
    }

    /** How often it was started. */
    int lives() {
        return lives;
    }

    /** How often it was started with its current folder, including starts that failed. */
    int folderStarts() {
        return folderStarts;
    }

    /** Whether its data is lost or damaged, even if it has not noticed yet. */
    boolean isUnreliable() {
        return status == Status.LOST || isAmnesiac || isDamaged;
    }

    SimulatedDisk disk() {
        return disk;
    }

    private ReplicatedLogConfig config() {
        var members = new ArrayList<Member>();
        for (int number = 1; number <= world.plan().nodes(); number++) {
            members.add(member(number));
        }
        if (id.number() > world.plan().nodes()) {
            members.add(member(id.number()));
        }
        return new ReplicatedLogConfig(
                "habemus",
                List.copyOf(members),
                id,
                mode,
                Path.of("data"),
                new TransportSecurity.None(),
                Duration.ofSeconds(10),
                world.plan().compactionBytes());
    }

    /** Starts the node with its files. */
    void start() {
        if (status == Status.RUNNING) {
            throw new IllegalStateException(id + " runs already");
        }
        world.line(() -> id + " starts");
        if (hasStarted) {
            world.count(ServiceSituation.RESTARTED);
        }
        hasStarted = true;
        lives++;
        folderStarts++;
        status = Status.RUNNING;
        world.logSafety().onStarted(id);
        var next = new Life();
        life = next;
        next.start();
    }

    void startIfDown() {
        if (status == Status.DOWN) {
            start();
        }
    }

    /** Starts the node with an empty folder, to join the cluster. */
    void startJoining() {
        disk = new SimulatedDisk();
        mode = StartMode.JOIN;
        folderStarts = 0;
        isAmnesiac = false;
        isDamaged = false;
        isDiskFaulty = false;
        status = Status.DOWN;
        hasStarted = false;
        start();
    }

    // ---- ends ----

    private void end(boolean isSilent) {
        var ended = requireNonNull(life);
        life = null;
        status = Status.DOWN;
        ended.loop.end();
        world.network().end(ended.host, isSilent);
        world.logSafety().onEnded(id);
    }

    /** Kills the process. What it has written stays. */
    void kill() {
        world.line(() -> id + " is killed");
        end(false);
        disk = disk.kill();
    }

    void failPower() {
        world.line(() -> id + " loses its power");
        end(true);
        disk = disk.crash(random);
    }

    private void onPowerFailed(Life failed) {
        if (failed == life) {
            world.line(() -> id + " loses its power in the middle of a write");
            failed.loop.end();
            world.time().after(0, () -> {
                if (failed == life) {
                    end(true);
                    disk = disk.crash(random);
                }
            });
        }
    }

    /** The node has stopped by itself. */
    private void onStopped(Life stopped, Throwable cause) {
        if (stopped != life) {
            return;
        }
        world.line(() -> id + " stops: " + cause);
        end(false);
        boolean isReboot = random.nextBoolean();
        disk = isReboot ? disk.crash(random) : disk.kill();
        if (isAmnesiac) {
            world.count(ServiceSituation.AMNESIA_REFUSED);
            lose();
        } else if (cause instanceof CorruptFileException && isDamaged) {
            world.count(ServiceSituation.DAMAGE_REFUSED);
            lose();
        } else if (isDiskFaulty && hasCause(cause, UncheckedIOException.class)) {
            world.count(ServiceSituation.DISK_FAILED);
            restartLater();
        } else if (String.valueOf(cause.getMessage()).contains("refuses this node")) {
            world.count(ServiceSituation.MEMBER_REFUSED);
            restartLater();
        } else {
            world.violate(ServiceProperty.UNDAMAGED, () -> id + " stopped: " + describe(cause));
        }
    }

    private static String describe(Throwable cause) {
        var text = new StringBuilder(cause.toString());
        for (int i = 0; i < Math.min(12, cause.getStackTrace().length); i++) {
            text.append("\n      at ").append(cause.getStackTrace()[i]);
        }
        return cause.getCause() == null ? text.toString() : text + "\n    caused by " + describe(cause.getCause());
    }

    private static boolean hasCause(Throwable failure, Class<? extends Throwable> type) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (type.isInstance(each)) {
                return true;
            }
        }
        return false;
    }

    /** A supervisor starts it again. */
    private void restartLater() {
        world.time().after(random.nextLong(FaultPlan.SECOND, 3 * FaultPlan.SECOND), this::startIfDown);
    }

    /** Its data cannot be used any more. */
    private void lose() {
        status = Status.LOST;
        world.operator().replace(this);
    }

    /** An operator has removed the node from the cluster, or is about to. */
    void retire() {
        if (status == Status.RUNNING) {
            kill();
        }
        status = Status.ABSENT;
    }

    // ---- faults ----

    void pause() {
        var running = requireNonNull(life);
        world.line(() -> id + " is paused");
        running.loop.pause();
        world.network().onPaused(running.host);
    }

    boolean isPaused() {
        return life != null && life.loop.isPaused();
    }

    void resume() {
        if (life != null && life.loop.isPaused()) {
            world.line(() -> id + " goes on");
            life.loop.resume(random.nextBoolean());
        }
    }

    void setSlowSyncNanos(long nanos) {
        slowSyncNanos = nanos;
    }

    /** A failure of the disk is a fault from now on, and not a defect. */
    void expectDiskFailure() {
        isDiskFaulty = true;
    }

    /** Files that fail their checksum are a fault from now on, and not a defect. */
    void expectDamage() {
        isDamaged = true;
    }

    /** The node continues with other files, which lack what it has acknowledged. */
    void startWithAmnesia(SimulatedDisk forgetful) {
        if (status == Status.RUNNING) {
            kill();
        }
        disk = forgetful;
        isAmnesiac = true;
        status = Status.DOWN;
        start();
    }

    /** The incarnation of a peer that this node remembers; zero if it has met none. */
    long acceptedIncarnation(NodeId peer) {
        return acceptedPeers.getOrDefault(peer, 0L);
    }

    // ---- calls ----

    /** Runs a task on the loop of the node, if its log is open. */
    void call(LogTask task) {
        var running = life;
        if (running != null) {
            running.loop.execute(() -> {
                if (running.log != null && running.lockServer != null) {
                    task.run(running.log, running.lockServer);
                }
            });
        }
    }

    /** Uses the log and the lock server of a node, on its loop. */
    interface LogTask {
        void run(ReplicatedLog log, LockServerLoop lockServer);
    }

    /** Asks the node to hand its leadership over. On an engine there is no such call. */
    @SuppressWarnings("FutureReturnValueIgnored") // the monitors see the outcome
    void transferLeadership() {
        call((log, server) -> {
            if (log instanceof RaftLog raft) {
                raft.transferLeadership();
            }
        });
    }

    /** The lock server, if it runs. */
    Optional<LockServerLoop> lockServer() {
        return Optional.ofNullable(life).map(running -> running.lockServer);
    }

    /** The last entry that the lock server of this life has applied. */
    long appliedIndex() {
        return life == null ? 0 : life.appliedIndex;
    }

    @Override
    public String toString() {
        return id.toString();
    }
}
