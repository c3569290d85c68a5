package habemus.client;

import habemus.client.environment.ClientEnvironment;
import habemus.lockservice.EmbeddedNodeProvider;
import habemus.lockservice.ResourceShare;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A client of the lock service: fenced locks, read/write locks, semaphores and elections. A program needs one client,
 * for any number of threads, virtual or not.
 *
 * <p>The client keeps one session with the service and renews it. If the session is lost, all its grants are lost and
 * their listeners are called. The next request opens a new session.
 */
public final class Habemus implements AutoCloseable {

    private final SessionDriver driver;
    private final List<String> endpoints;
    private final Optional<EmbeddedNodeProvider.RunningNode> embeddedNode;
    private final Set<CandidateRunner> candidates = new CopyOnWriteArraySet<>();

    private Habemus(
            SessionDriver driver, List<String> endpoints, Optional<EmbeddedNodeProvider.RunningNode> embeddedNode) {
        this.driver = driver;
        this.endpoints = endpoints;
        this.embeddedNode = embeddedNode;
    }

    /**
     * Connects to the service.
     *
     * @param endpoints some nodes, each as {@code host:port}; the client learns the others from them
     * @return connected; to be closed
     * @throws ServiceUnavailableException if no node answers in time
     * @throws RequestRejectedException if the service wants no such client
     */
    public static Habemus connect(String... endpoints) {
        return connect(ClientOptions.to(endpoints));
    }

    /**
     * Connects to the service.
     *
     * @param options endpoints, name, lease, authentication
     * @return connected; to be closed
     * @throws ServiceUnavailableException if no node answers in time
     * @throws RequestRejectedException if the service wants no such client
     */
    public static Habemus connect(ClientOptions options) {
        return connect(options, Optional.empty());
    }

    /**
     * Starts a node of the service in this JVM, and connects to it. Needs the artifact {@code habemus-service}.
     *
     * @param node the node and its cluster
     * @return connected; closing it stops the node
     * @throws IllegalStateException if the service is not on the class path or module path, or cannot start
     * @throws ServiceUnavailableException if the node is not connected to a majority in time
     */
    public static Habemus embedded(EmbeddedNode node) {
        var provider = ServiceLoader.load(EmbeddedNodeProvider.class)
                .findFirst()
                .or(() -> ServiceLoader.load(EmbeddedNodeProvider.class, Habemus.class.getClassLoader())
                        .findFirst())
                .orElseThrow(
                        () -> new IllegalStateException("cannot embed a node: habemus-service is not on the class path"
                                + "\nhint: add the artifact dev.habemus:habemus-service"));
        var embeddedNode = provider.start(node.nodeConfig());
        try {
            return connect(node.options(embeddedNode.endpoints()), Optional.of(embeddedNode));
        } catch (RuntimeException e) {
            embeddedNode.close();
            throw e;
        }
    }

    private static Habemus connect(ClientOptions options, Optional<EmbeddedNodeProvider.RunningNode> embeddedNode) {
        var environment = ClientEnvironment.current().orElseGet(() -> ProcessEnvironment.of(options));
        var driver = new SessionDriver(options, environment);
        var opened = driver.awaitSession();
        try {
            if (driver.mayWait()) {
                opened.get(options.connectTimeout().toNanos(), TimeUnit.NANOSECONDS);
            }
            return new Habemus(driver, options.endpoints(), embeddedNode);
        } catch (ExecutionException e) {
            driver.stop();
            throw Futures.unwrap(e);
        } catch (TimeoutException e) {
            driver.stop();
            throw Acquirer.unavailable(driver, options.connectTimeout());
        } catch (InterruptedException e) {
            driver.stop();
            Thread.currentThread().interrupt();
            throw new ServiceUnavailableException("interrupted while connecting to " + options.endpoints());
        }
    }

    /**
     * Returns an exclusive lock.
     *
     * @param name equal for all clients that exclude each other
     * @return to be acquired
     */
    public Lock lock(String name) {
        return new Lock(driver, ResourceShare.exclusive(name));
    }

    /**
     * Returns a lock for many readers or one writer.
     *
     * @param name equal for all clients that exclude each other
     * @return its read side and its write side
     */
    public ReadWriteLock readWriteLock(String name) {
        return new ReadWriteLock(driver, name);
    }

    /**
     * Returns a semaphore.
     *
     * @param name equal for all clients that share it
     * @param size total number of permits; equal for all clients while the semaphore is in use
     * @return to be acquired
     */
    public Semaphore semaphore(String name, int size) {
        return new Semaphore(driver, name, size);
    }

    /**
     * Returns several exclusive locks that are acquired together.
     *
     * @param names of the locks
     * @return to be acquired, all or none
     */
    public MultiLock multiLock(String... names) {
        return new MultiLock(
                driver, Arrays.stream(names).map(ResourceShare::exclusive).toList());
    }

    /**
     * Returns several locks and permits that are acquired together.
     *
     * @param shares locks, shared locks and permits
     * @return to be acquired, all or none
     */
    public MultiLock multiLock(LockShare... shares) {
        return new MultiLock(
                driver, Arrays.stream(shares).map(LockShare::toResourceShare).toList());
    }

    /**
     * Returns an election. At most one of its candidates is the leader.
     *
     * @param name equal for all candidates
     * @return to campaign in, or to observe
     */
    public Election election(String name) {
        return new Election(driver, name, candidates);
    }

    /**
     * Finds clients that wait for each other, because they acquired several locks one after the other. None of them is
     * granted its request until one releases or cancels.
     *
     * @return the waits-for cycles; empty if there is no deadlock
     * @throws InterruptedException if the thread is interrupted
     * @throws ServiceUnavailableException if no node answers in time
     */
    public List<DeadlockCycle> deadlocks() throws InterruptedException {
        var reply = PendingQueries.await(driver, driver.listDeadlocks());
        return reply.deadlocks().stream().map(DeadlockCycle::of).toList();
    }

    /** {@return the configured endpoints; of an embedded node, the endpoints for other clients} */
    public List<String> endpoints() {
        return endpoints;
    }

    /** {@return whether the service survives the loss of a node} */
    public boolean isFaultTolerant() {
        return driver.isFaultTolerant();
    }

    /**
     * Ends the session and releases everything. Leaders are deposed first. Open grants are lost, and waiting requests
     * fail. If the service does not confirm in time, the session expires with its lease.
     */
    @Override
    public void close() {
        var resigned = candidates.stream().map(CandidateRunner::resign).toArray(CompletableFuture<?>[]::new);
        var closed = CompletableFuture.allOf(resigned)
                .thenCompose(done -> driver.close())
                .whenComplete((done, failure) -> driver.stop());
        if (driver.mayWait()) {
            await(closed);
        }
    }

    private void await(CompletableFuture<Void> closed) {
        try {
            closed.get(driver.requestTimeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // the session expires with its lease
        } finally {
            driver.stop();
            embeddedNode.ifPresent(EmbeddedNodeProvider.RunningNode::close);
        }
    }
}
