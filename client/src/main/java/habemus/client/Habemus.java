package habemus.client;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Deadlock;
import habemus.lockservice.EmbeddedNodeProvider;
import habemus.lockservice.ResourceShare;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A client of the service: fenced locks, read/write locks, semaphores and elections. One of them serves a whole
 * program, from any number of threads, virtual or not.
 *
 * <p>It keeps one session with the service, and renews it by itself. If the session is lost, all grants are lost and
 * told so; what is asked for later begins another session.
 */
public final class Habemus implements AutoCloseable {

    static final Executor CALLBACK_EXECUTOR =
            task -> Thread.ofVirtual().name("habemus-told").start(task);

    private final SessionDriver sessionDriver;
    private final List<String> doors;
    private final Optional<EmbeddedNodeProvider.RunningNode> runningNode;
    private final Set<CandidateRunner> candidateRunners = ConcurrentHashMap.newKeySet();

    private Habemus(
            SessionDriver sessionDriver, List<String> doors, Optional<EmbeddedNodeProvider.RunningNode> runningNode) {
        this.sessionDriver = sessionDriver;
        this.doors = doors;
        this.runningNode = runningNode;
    }

    /**
     * Connects to the service.
     *
     * @param doors of some nodes, {@code host:port}; it learns of the others by itself
     * @return connected; to be closed
     * @throws ServiceUnavailableException if no node answers in time
     * @throws RequestRejectedException if the service wants no such client
     */
    public static Habemus connect(String... doors) {
        return connect(ClientOptions.to(doors));
    }

    /**
     * Connects to the service.
     *
     * @param clientOptions where, as whom, and how
     * @return connected; to be closed
     * @throws ServiceUnavailableException if no node answers in time
     * @throws RequestRejectedException if the service wants no such client
     */
    public static Habemus connect(ClientOptions clientOptions) {
        return connect(clientOptions, Optional.empty());
    }

    /**
     * Starts a node of the service in this JVM, and connects to it. The artifact {@code habemus-service} must be there.
     *
     * @param node which, and with whom
     * @return connected; when it is closed, the node ends
     * @throws IllegalStateException if the service is not on the class path or module path, or cannot start
     * @throws ServiceUnavailableException if the node finds no majority in time
     */
    public static Habemus embedded(EmbeddedNode node) {
        var embeddedNodeProvider = ServiceLoader.load(EmbeddedNodeProvider.class)
                .findFirst()
                .or(() -> ServiceLoader.load(EmbeddedNodeProvider.class, Habemus.class.getClassLoader())
                        .findFirst())
                .orElseThrow(() -> new IllegalStateException("there is no service to embed: add the artifact"
                        + " dev.habemus:habemus-service, or connect to nodes that run elsewhere"));
        var runningNode = embeddedNodeProvider.start(node.nodeConfig());
        try {
            return connect(node.options(runningNode.endpoints()), Optional.of(runningNode));
        } catch (RuntimeException e) {
            runningNode.close();
            throw e;
        }
    }

    private static Habemus connect(
            ClientOptions clientOptions, Optional<EmbeddedNodeProvider.RunningNode> runningNode) {
        var sessionDriver = new SessionDriver(clientOptions, person(clientOptions));
        sessionDriver.start();
        try {
            sessionDriver.awaitSession().get(clientOptions.connectTimeout().toNanos(), TimeUnit.NANOSECONDS);
            return new Habemus(sessionDriver, clientOptions.endpoints(), runningNode);
        } catch (ExecutionException e) {
            sessionDriver.stop();
            throw Futures.unwrap(e);
        } catch (TimeoutException e) {
            sessionDriver.stop();
            throw Acquirer.unavailable(sessionDriver, clientOptions.connectTimeout());
        } catch (InterruptedException e) {
            sessionDriver.stop();
            Thread.currentThread().interrupt();
            throw new ServiceUnavailableException("interrupted while connecting to " + clientOptions.endpoints());
        }
    }

    private static ClientInfo person(ClientOptions clientOptions) {
        long pid = ProcessHandle.current().pid();
        var host = host();
        return new ClientInfo(clientOptions.name().isEmpty() ? host + "/" + pid : clientOptions.name(), host, pid);
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "localhost";
        }
    }

    /**
     * One at a time.
     *
     * @param name the same for all who exclude each other
     * @return to be acquired
     */
    public Lock lock(String name) {
        return new Lock(sessionDriver, ResourceShare.exclusive(name));
    }

    /**
     * Many readers, or one writer.
     *
     * @param name the same for all who exclude each other
     * @return its two sides
     */
    public ReadWriteLock readWriteLock(String name) {
        return new ReadWriteLock(sessionDriver, name);
    }

    /**
     * So many at a time.
     *
     * @param name the same for all who share it
     * @param size how many permits there are, the same for all while anybody uses it
     * @return to be acquired
     */
    public Semaphore semaphore(String name, int size) {
        return new Semaphore(sessionDriver, name, size);
    }

    /**
     * Several locks at once, each exclusively.
     *
     * @param names of the locks
     * @return to be acquired, all or none
     */
    public MultiLock multiLock(String... names) {
        return new MultiLock(
                sessionDriver,
                Arrays.stream(names).map(ResourceShare::exclusive).toList());
    }

    /**
     * Several locks and permits at once.
     *
     * @param resourceShares of what, and how much
     * @return to be acquired, all or none
     */
    public MultiLock multiLock(ResourceShare... resourceShares) {
        return new MultiLock(sessionDriver, List.of(resourceShares));
    }

    /**
     * One of the candidates leads.
     *
     * @param name the same for all candidates
     * @return to campaign in, or to observe
     */
    public Election election(String name) {
        return new Election(sessionDriver, name, candidateRunners);
    }

    /**
     * Who waits for each other in a circle, by locks that were taken one after the other. Nobody of them will ever be
     * granted anything, unless one gives up.
     *
     * @return the circles; none, if all is well
     * @throws InterruptedException if the thread is interrupted
     * @throws ServiceUnavailableException if no node answers in time
     */
    public List<Deadlock> deadlocks() throws InterruptedException {
        return PendingQueries.seen(sessionDriver, sessionDriver.listDeadlocks()).circles();
    }

    /** {@return where it was told to connect; if the node is embedded, where other clients can} */
    public List<String> endpoints() {
        return doors;
    }

    /** {@return whether the service survives the loss of a node, as its nodes say} */
    public boolean isFaultTolerant() {
        return sessionDriver.isFaultTolerant();
    }

    /**
     * Gives everything back and ends the session. Who leads is deposed first. Grants that are not closed are lost; who
     * waits is told. If the service does not confirm it in time, the lease will end it.
     */
    @Override
    public void close() {
        try {
            var resigned =
                    candidateRunners.stream().map(CandidateRunner::resign).toArray(CompletableFuture<?>[]::new);
            var closed = CompletableFuture.allOf(resigned).thenCompose(done -> sessionDriver.close());
            closed.get(sessionDriver.requestTimeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException late) {
            // the lease will end it
        } finally {
            sessionDriver.stop();
            runningNode.ifPresent(EmbeddedNodeProvider.RunningNode::close);
        }
    }
}
