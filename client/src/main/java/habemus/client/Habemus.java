package habemus.client;

import habemus.fenced.Deadlock;
import habemus.fenced.Hosting;
import habemus.fenced.Person;
import habemus.fenced.Want;
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

    static final Executor VIRTUAL =
            task -> Thread.ofVirtual().name("habemus-told").start(task);

    private final Driver driver;
    private final List<String> doors;
    private final Optional<Hosting.Hosted> hosted;
    private final Set<Campaign> campaigns = ConcurrentHashMap.newKeySet();

    private Habemus(Driver driver, List<String> doors, Optional<Hosting.Hosted> hosted) {
        this.driver = driver;
        this.doors = doors;
        this.hosted = hosted;
    }

    /**
     * Connects to the service.
     *
     * @param doors of some nodes, {@code host:port}; it learns of the others by itself
     * @return connected; to be closed
     * @throws Unreachable if no node answers in time
     * @throws Refused if the service wants no such client
     */
    public static Habemus connect(String... doors) {
        return connect(Options.to(doors));
    }

    /**
     * Connects to the service.
     *
     * @param options where, as whom, and how
     * @return connected; to be closed
     * @throws Unreachable if no node answers in time
     * @throws Refused if the service wants no such client
     */
    public static Habemus connect(Options options) {
        return connect(options, Optional.empty());
    }

    /**
     * Starts a node of the service in this JVM, and connects to it. The artifact {@code habemus-service} must be there.
     *
     * @param node which, and with whom
     * @return connected; when it is closed, the node ends
     * @throws IllegalStateException if the service is not on the class path or module path, or cannot start
     * @throws Unreachable if the node finds no majority in time
     */
    public static Habemus embedded(EmbeddedNode node) {
        var hosting = ServiceLoader.load(Hosting.class)
                .findFirst()
                .or(() -> ServiceLoader.load(Hosting.class, Habemus.class.getClassLoader())
                        .findFirst())
                .orElseThrow(() -> new IllegalStateException("there is no service to embed: add the artifact"
                        + " dev.habemus:habemus-service, or connect to nodes that run elsewhere"));
        var hosted = hosting.host(node.plan());
        try {
            return connect(node.options(hosted.doors()), Optional.of(hosted));
        } catch (RuntimeException e) {
            hosted.close();
            throw e;
        }
    }

    private static Habemus connect(Options options, Optional<Hosting.Hosted> hosted) {
        var driver = new Driver(options, person(options));
        driver.start();
        try {
            driver.live().get(options.connectTimeout().toNanos(), TimeUnit.NANOSECONDS);
            return new Habemus(driver, options.doors(), hosted);
        } catch (ExecutionException e) {
            driver.stop();
            throw Waits.unwrapped(e);
        } catch (TimeoutException e) {
            driver.stop();
            throw Gate.unreachable(driver, options.connectTimeout());
        } catch (InterruptedException e) {
            driver.stop();
            Thread.currentThread().interrupt();
            throw new Unreachable("interrupted while connecting to " + options.doors());
        }
    }

    private static Person person(Options options) {
        long pid = ProcessHandle.current().pid();
        var host = host();
        return new Person(options.name().isEmpty() ? host + "/" + pid : options.name(), host, pid);
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
        return new Lock(driver, Want.exclusive(name));
    }

    /**
     * Many readers, or one writer.
     *
     * @param name the same for all who exclude each other
     * @return its two sides
     */
    public ReadWriteLock readWriteLock(String name) {
        return new ReadWriteLock(driver, name);
    }

    /**
     * So many at a time.
     *
     * @param name the same for all who share it
     * @param size how many permits there are, the same for all while anybody uses it
     * @return to be acquired
     */
    public Semaphore semaphore(String name, int size) {
        return new Semaphore(driver, name, size);
    }

    /**
     * Several locks at once, each exclusively.
     *
     * @param names of the locks
     * @return to be acquired, all or none
     */
    public MultiLock multiLock(String... names) {
        return new MultiLock(driver, Arrays.stream(names).map(Want::exclusive).toList());
    }

    /**
     * Several locks and permits at once.
     *
     * @param wants of what, and how much
     * @return to be acquired, all or none
     */
    public MultiLock multiLock(Want... wants) {
        return new MultiLock(driver, List.of(wants));
    }

    /**
     * One of the candidates leads.
     *
     * @param name the same for all candidates
     * @return to campaign in, or to observe
     */
    public Election election(String name) {
        return new Election(driver, name, campaigns);
    }

    /**
     * Who waits for each other in a circle, by locks that were taken one after the other. Nobody of them will ever be
     * granted anything, unless one gives up.
     *
     * @return the circles; none, if all is well
     * @throws InterruptedException if the thread is interrupted
     * @throws Unreachable if no node answers in time
     */
    public List<Deadlock> deadlocks() throws InterruptedException {
        return Sights.seen(driver, driver.lookForDeadlocks()).circles();
    }

    /** {@return where it was told to connect; if the node is embedded, where other clients can} */
    public List<String> doors() {
        return doors;
    }

    /** {@return whether the service survives the loss of a node, as its nodes say} */
    public boolean isFaultTolerant() {
        return driver.isFaultTolerant();
    }

    /**
     * Gives everything back and ends the session. Who leads is deposed first. Grants that are not closed are lost; who
     * waits is told. If the service does not confirm it in time, the lease will end it.
     */
    @Override
    public void close() {
        try {
            var resigned = campaigns.stream().map(Campaign::resign).toArray(CompletableFuture<?>[]::new);
            var closed = CompletableFuture.allOf(resigned).thenCompose(done -> driver.close());
            closed.get(driver.patience().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException late) {
            // the lease will end it
        } finally {
            driver.stop();
            hosted.ifPresent(Hosting.Hosted::close);
        }
    }
}
