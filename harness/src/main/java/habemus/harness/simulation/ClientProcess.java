package habemus.harness.simulation;

import static java.util.Objects.requireNonNull;

import habemus.client.Acquirable;
import habemus.client.AcquireResult;
import habemus.client.Candidate;
import habemus.client.ClientOptions;
import habemus.client.Election;
import habemus.client.Grant;
import habemus.client.Habemus;
import habemus.client.LockShare;
import habemus.client.LossReason;
import habemus.client.RequestRejectedException;
import habemus.client.StaleFenceException;
import habemus.client.environment.ClientEnvironment;
import habemus.lockservice.ClientInfo;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A simulated application: the real client library on a virtual loop. It acquires, writes to a guarded resource,
 * releases, campaigns and resigns, one thing after the other, until it is told to stop.
 */
final class ClientProcess {

    private static final String ELECTION = "captain";
    private static final int SEMAPHORE_SIZE = 3;
    private static final long MILLI = 1_000_000L;

    /** A hold as the application believes in it. */
    private static final class Hold {
        private final List<ResourceShare> shares;
        private final long fence;

        Hold(List<ResourceShare> shares, long fence) {
            this.shares = shares;
            this.fence = fence;
        }

        long unitsOf(ResourceName name) {
            long units = 0;
            for (var share : shares) {
                units += share.name().equals(name) ? share.units() : 0;
            }
            return units;
        }
    }

    /** What to acquire. */
    private record Wish(Acquirable acquirable, List<ResourceShare> shares) {}

    private final ServiceWorld world;
    private final int index;
    private final SplittableRandom random;
    private final List<Hold> holds = new ArrayList<>();
    private @Nullable Life life;
    private int lives;
    private long servedNanos = -1;

    ClientProcess(ServiceWorld world, int index, SplittableRandom random) {
        this.world = world;
        this.index = index;
        this.random = random;
    }

    /** One run of the application. */
    private final class Life {
        private final VirtualLoop loop =
                new VirtualLoop(world.time(), SimulatedNode.drawRate(random), random.nextLong(1L << 40));
        private final VirtualNetwork.Host host = world.network().start(world.clientProcess(index), loop);
        private final boolean isCandidate = index < 3 && random.nextInt(3) > 0;
        private @Nullable Habemus client;
        private boolean isWaiting; // for a result

        void start() {
            loop.execute(() -> {
                var environment = new ClientEnvironment(
                        loop,
                        new VirtualConnector(world.network(), host, world.coverage()),
                        random.split(),
                        loop::execute,
                        new ClientInfo(name(), "simulated", lives));
                var endpoints = IntStream.rangeClosed(1, world.plan().nodes())
                        .mapToObj(number -> SimulatedNode.clientAddress(
                                SimulatedNode.member(number).node()))
                        .toArray(String[]::new);
                var lease = Duration.ofMillis(random.nextInt(1_500, 5_000));
                client = environment.with(() -> Habemus.connect(
                        ClientOptions.to(endpoints).withName(name()).withLease(lease)));
                if (isCandidate) {
                    campaign(client().election(ELECTION));
                } else {
                    nextRequest();
                }
            });
        }

        private Habemus client() {
            return requireNonNull(client);
        }

        private void after(long nanos, Runnable task) {
            loop.schedule(Duration.ofNanos(nanos), task);
        }

        private boolean isOver() {
            return world.time().now() > FaultPlan.LAST_REQUEST_NANOS;
        }

        // ---- locks ----

        private void nextRequest() {
            isWaiting = false;
            if (!isOver()) {
                after(random.nextLong(10 * MILLI, 500 * MILLI), () -> {
                    if (!isOver()) {
                        acquire(wish());
                    }
                });
            }
        }

        private Wish wish() {
            var lock = "lock-" + random.nextInt(2);
            return switch (random.nextInt(10)) {
                case 0 -> new Wish(client().readWriteLock(lock).read(), List.of(ResourceShare.shared(lock)));
                case 1 -> new Wish(client().readWriteLock(lock).write(), List.of(ResourceShare.exclusive(lock)));
                case 2, 3 -> {
                    int permits = random.nextInt(1, SEMAPHORE_SIZE + 1);
                    yield new Wish(
                            client().semaphore("pool", SEMAPHORE_SIZE).permits(permits),
                            List.of(ResourceShare.permits("pool", permits, SEMAPHORE_SIZE)));
                }
                case 4 ->
                    new Wish(
                            client().multiLock("lock-0", "lock-1"),
                            List.of(ResourceShare.exclusive("lock-0"), ResourceShare.exclusive("lock-1")));
                case 5 ->
                    new Wish(
                            client().multiLock(LockShare.exclusive(lock), LockShare.permits("pool", 1, SEMAPHORE_SIZE)),
                            List.of(ResourceShare.exclusive(lock), ResourceShare.permits("pool", 1, SEMAPHORE_SIZE)));
                default -> new Wish(client().lock(lock), List.of(ResourceShare.exclusive(lock)));
            };
        }

        private void acquire(Wish wish) {
            isWaiting = true;
            if (random.nextInt(6) == 0) {
                var tried = wish.acquirable().tryAcquireAsync();
                var unused = tried.whenComplete((result, failure) -> {
                    if (result instanceof AcquireResult.Granted(var grant)) {
                        onGranted(wish, grant);
                    } else {
                        onRefused(failure);
                        nextRequest();
                    }
                });
                return;
            }
            var future = wish.acquirable().acquireAsync();
            var unused = future.whenComplete((grant, failure) -> {
                if (failure == null) {
                    onGranted(wish, grant);
                } else {
                    onRefused(failure);
                    nextRequest();
                }
            });
            if (random.nextInt(8) == 0) {
                after(random.nextLong(3_000 * MILLI), () -> future.cancel(false));
            }
        }

        /** A full quota serves, too: it refuses at once. */
        private void onRefused(@Nullable Throwable failure) {
            served(failure == null || failure instanceof RequestRejectedException);
        }

        private void served(boolean isServed) {
            if (isServed) {
                servedNanos = world.time().now();
            }
        }

        private void onGranted(Wish wish, Grant grant) {
            isWaiting = false;
            served(true);
            var hold = new Hold(wish.shares(), grant.fence());
            holds.add(hold);
            world.line(() -> name() + " holds " + grant);
            grant.onLost(reason -> {
                onLost(hold, reason);
                nextRequest();
            });
            boolean isLong = random.nextInt(12) == 0 && world.time().now() < FaultPlan.HEALED_NANOS;
            long nanos = random.nextLong((isLong ? 6_000 : 500) * MILLI);
            after(random.nextLong(nanos + 1), () -> write(wish, grant));
            after(nanos, () -> {
                if (holds.remove(hold)) {
                    grant.close();
                    nextRequest();
                }
            });
        }

        /** Acquires a lock that it does not release. */
        private void keep(String lock) {
            var unused = client().lock(lock).acquireAsync().thenAccept(grant -> {
                var hold = new Hold(List.of(ResourceShare.exclusive(lock)), grant.fence());
                holds.add(hold);
                world.line(() -> name() + " keeps " + grant);
                grant.onLost(reason -> onLost(hold, reason));
            });
        }

        private void onLost(Hold hold, LossReason reason) {
            world.line(() -> name() + " has lost fence " + hold.fence + ": " + reason);
            holds.remove(hold);
            if (reason instanceof LossReason.LeaseExpired) {
                world.count(ServiceSituation.LEASE_LOST);
            }
        }

        /** The write may be on its way when the client is paused. */
        private void write(Wish wish, Grant grant) {
            if (wish.shares().size() == 1 && wish.shares().getFirst().units() > SEMAPHORE_SIZE && grant.isValid()) {
                var name = wish.shares().getFirst().name().text();
                long delay = random.nextInt(5) == 0 ? 4_000 * MILLI : 5 * MILLI;
                world.time().after(random.nextLong(delay), () -> {
                    try {
                        world.guard().check(name, grant.fence());
                        world.count(ServiceSituation.FENCED_WRITE);
                    } catch (StaleFenceException stale) {
                        world.count(ServiceSituation.STALE_FENCE);
                    }
                });
            }
        }

        // ---- elections ----

        private void campaign(Election election) {
            isWaiting = false;
            election.campaign(random.nextInt(3), new Candidate() {
                private @Nullable Hold hold;

                @Override
                public void onElected(long term) {
                    world.line(() -> name() + " leads the election in term " + term);
                    world.count(ServiceSituation.LEADERSHIP_WON);
                    served(true);
                    var won = new Hold(List.of(ResourceShare.leadership(ELECTION)), term);
                    hold = won;
                    holds.add(won);
                    after(random.nextLong(2_000 * MILLI), () -> endTerm(election, won));
                }

                @Override
                public void onDeposed(long term, LossReason reason) {
                    onLost(requireNonNull(hold), reason);
                }

                @Override
                public void onRejected(RequestRejectedException rejection) {
                    world.line(() -> name() + " is no candidate: " + rejection.getMessage());
                }
            });
        }

        private void endTerm(Election election, Hold won) {
            if (!holds.contains(won)) {
                return;
            }
            try {
                if (random.nextInt(3) == 0) {
                    election.transferTo("client-" + random.nextInt(3));
                    after(2_000 * MILLI, () -> endTerm(election, won));
                } else {
                    election.resign();
                    if (!isOver()) {
                        after(random.nextLong(MILLI, 1_000 * MILLI), () -> campaign(election));
                    }
                }
            } catch (InterruptedException | RuntimeException refused) {
                world.line(() -> name() + " keeps leading: " + refused.getMessage());
                after(500 * MILLI, () -> endTerm(election, won));
            }
        }
    }

    String name() {
        return "client-" + index;
    }

    int process() {
        return world.clientProcess(index);
    }

    boolean isRunning() {
        return life != null;
    }

    void start() {
        lives++;
        world.line(() -> name() + " starts");
        var next = new Life();
        life = next;
        next.start();
    }

    void startIfDown() {
        if (life == null) {
            start();
        }
    }

    void kill(boolean isSilent) {
        var ended = requireNonNull(life);
        world.line(() -> name() + " is killed");
        life = null;
        ended.loop.end();
        world.network().end(ended.host, isSilent);
        holds.clear();
    }

    void pause() {
        if (life != null) {
            world.line(() -> name() + " is paused");
            life.loop.pause();
        }
    }

    boolean isPaused() {
        return life != null && life.loop.isPaused();
    }

    void resume(boolean timersFirst) {
        if (life != null && life.loop.isPaused()) {
            world.line(() -> name() + " goes on");
            life.loop.resume(timersFirst);
        }
    }

    /** Acquires a lock that it does not release. */
    void keep(String lock) {
        var running = requireNonNull(life);
        running.loop.execute(() -> running.keep(lock));
    }

    /** How many units of a resource the running application believes to hold, without those that were revoked. */
    long believedUnits(ResourceName name, Set<Long> revokedFences) {
        if (life == null || life.loop.isBehind()) {
            return 0;
        }
        long units = 0;
        for (var hold : holds) {
            units += revokedFences.contains(hold.fence) ? 0 : hold.unitsOf(name);
        }
        return units;
    }

    /** The fences in which the running application believes. */
    List<Long> believedFences() {
        return life == null ? List.of() : holds.stream().map(hold -> hold.fence).toList();
    }

    /** Whether the application waits for a result. A candidate may wait for ever. */
    boolean isWaiting() {
        return life != null && life.isWaiting;
    }

    boolean isCandidate() {
        return life != null && life.isCandidate;
    }

    /** When it was granted or refused something last; negative if never. */
    long servedNanos() {
        return servedNanos;
    }

    @Override
    public String toString() {
        return name() + believedFences();
    }
}
