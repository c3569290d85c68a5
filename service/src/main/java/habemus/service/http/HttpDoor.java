package habemus.service.http;

import habemus.service.http.Answers.Frames;
import habemus.service.http.Answers.Health;
import habemus.service.http.Answers.LeaderChange;
import habemus.service.http.Answers.Leaders;
import habemus.service.http.Answers.LockChange;
import habemus.service.http.Answers.Locks;
import habemus.service.http.Answers.Status;
import habemus.service.http.Answers.TicketOf;
import habemus.service.node.GroupId;
import habemus.service.node.Node;
import habemus.service.node.Ticket;
import habemus.world.Problem;
import io.helidon.http.HeaderNames;
import io.helidon.http.sse.SseEvent;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.sse.SseSink;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers clients of a node over HTTP, in JSON: who is there, who holds and waits and leads; locks and elections. */
public final class HttpDoor implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpDoor.class);
    private static final long WAIT = 10_000; // milliseconds, as all of these
    private static final long WAIT_MAX = 600_000;
    private static final long LEASE = 10_000;
    private static final long LEASE_MIN = 100;
    private static final long LEASE_MAX = 600_000;
    private static final long ALIVE = 1_000; // how often a watch says that it is
    private static final SseEvent STILL =
            SseEvent.builder().name("alive").data("{}").build();
    private static final int WATCHES_MAX = 100;
    private static final int PAYLOAD_MAX = 16_384; // bytes; more is not even read
    private static final List<String> NOTHING = List.of();
    private static final List<String> WISH = List.of("client", "wait", "lease", "ticket");

    private final Node node;
    private final Leases leases;
    private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
    private final WebServer server;
    private final InetSocketAddress address;

    /**
     * Opens it.
     *
     * @throws IllegalStateException if nothing can listen there
     */
    public HttpDoor(Node node, InetSocketAddress address) {
        this.node = node;
        leases = new Leases(node);
        server = WebServer.builder()
                .address(address.getAddress())
                .port(address.getPort())
                .maxPayloadSize(PAYLOAD_MAX)
                .shutdownHook(false)
                .shutdownGracePeriod(Duration.ofMillis(200))
                .connectionOptions(options -> options.readTimeout(Duration.ZERO).tcpNoDelay(true))
                .directHandlers(Errors::directly)
                .routing(this::route)
                .build();
        try {
            server.start();
        } catch (RuntimeException refused) {
            throw new IllegalStateException("cannot listen for HTTP at " + text(address), refused);
        }
        this.address = new InetSocketAddress(address.getAddress(), server.port());
        node.reachableAt(text(this.address));
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return address;
    }

    private static String text(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    private void route(HttpRouting.Builder routing) {
        Errors.install(routing);
        routing.addFilter(Errors::refuseStrangers);
        get(routing, "/health", request -> health());
        get(routing, "/status", request -> status());
        get(routing, "/locks", request -> locks());
        get(routing, "/locks/{name}", this::lock);
        get(routing, "/leaders", request -> leaders());
        get(routing, "/leaders/{name}", this::leader);
        get(routing, "/tickets/{id}", request -> leases.look(id(request), waiting(request)));
        post(routing, "/locks/{name}/acquire", WISH, this::acquire);
        post(routing, "/leaders/{name}/campaign", NOTHING, this::campaign);
        post(routing, "/leaders/{name}/stand", WISH, this::stand);
        post(
                routing,
                "/tickets/{id}/renew",
                List.of("lease"),
                (request, body) -> leases.renew(id(request), body.millis("lease", LEASE, LEASE_MIN, LEASE_MAX)));
        post(routing, "/tickets/{id}/release", NOTHING, (request, body) -> leases.end(id(request), Problem.MUTEX));
        post(routing, "/tickets/{id}/resign", NOTHING, (request, body) -> leases.end(id(request), Problem.ELECTION));
        routing.get("/watch", this::watch).any("/watch", Errors.only("GET"));
        routing.any(Errors.noSuchRoute());
    }

    private static void get(HttpRouting.Builder routing, String path, Function<ServerRequest, Object> answer) {
        routing.get(path, (request, response) -> answer(response, answer.apply(request)));
        routing.any(path, Errors.only("GET"));
    }

    private static void post(
            HttpRouting.Builder routing,
            String path,
            List<String> members,
            BiFunction<ServerRequest, Body, Object> answer) {
        routing.post(path, (request, response) -> {
            Errors.requireJson(request);
            answer(response, answer.apply(request, Body.read(request.content().inputStream(), members)));
        });
        routing.any(path, Errors.only("POST"));
    }

    private static void answer(ServerResponse response, Object answer) {
        response.header(HeaderNames.CONTENT_TYPE, Errors.JSON)
                .header(HeaderNames.CACHE_CONTROL, "no-store")
                .send(Answers.json(answer));
    }

    private static String name(ServerRequest request) {
        return request.path().pathParameters().get("name");
    }

    private static String id(ServerRequest request) {
        return request.path().pathParameters().get("id");
    }

    private static long waiting(ServerRequest request) {
        return request.query()
                .first("wait")
                .map(text -> Body.millis("wait", text, 0, WAIT_MAX))
                .orElse(0L);
    }

    private static GroupId group(Problem problem, ServerRequest request) {
        try {
            return new GroupId(problem, name(request));
        } catch (IllegalArgumentException wrong) {
            throw Trouble.wrong(String.valueOf(wrong.getMessage()), "choose a shorter, plainer one");
        }
    }

    private Health health() {
        if (node.failure().isDone()) {
            throw new Trouble(503, "failed", "this node has stopped by itself", "its log says why");
        }
        return new Health(node.self().node().toString(), "up");
    }

    private Status status() {
        var counts = node.counts();
        return new Status(
                node.self().node().toString(),
                node.config().locks().text(),
                node.config().elections().text(),
                new Frames(counts.framesSent(), counts.framesReceived(), counts.framesRefused()),
                Survey.of(node).nodes());
    }

    private Locks locks() {
        var survey = Survey.of(node);
        return new Locks(survey.locks(), survey.silent());
    }

    private Object lock(ServerRequest request) {
        var name = group(Problem.MUTEX, request).name();
        return locks().locks().stream()
                .filter(lock -> lock.name().equals(name))
                .findFirst()
                .orElseThrow(() -> Trouble.unknown(
                        "nobody has ever asked for a lock of this name", "GET /locks shows all; acquire begins one"));
    }

    private Leaders leaders() {
        var survey = Survey.of(node);
        return new Leaders(survey.leaders(), survey.silent());
    }

    private Object leader(ServerRequest request) {
        var name = group(Problem.ELECTION, request).name();
        return leaders().leaders().stream()
                .filter(election -> election.name().equals(name))
                .findFirst()
                .orElseThrow(() -> Trouble.unknown(
                        "there was never an election of this name", "GET /leaders shows all; campaign begins one"));
    }

    private TicketOf acquire(ServerRequest request, Body body) {
        var group = group(Problem.MUTEX, request);
        return take(group, body, client -> node.acquire(group.name(), client));
    }

    private TicketOf stand(ServerRequest request, Body body) {
        var group = group(Problem.ELECTION, request);
        return take(group, body, client -> node.stand(group.name(), client));
    }

    private TicketOf take(GroupId group, Body body, Function<String, Ticket> ask) {
        long wait = body.millis("wait", WAIT, 1, WAIT_MAX);
        long lease = body.millis("lease", LEASE, LEASE_MIN, LEASE_MAX);
        var client = body.text("client").orElse("http");
        var id = body.ticket().orElseGet(leases::draw);
        return leases.take(id, group, ask.apply(client), wait, lease);
    }

    private Object campaign(ServerRequest request, Body body) {
        var group = group(Problem.ELECTION, request);
        node.campaign(group.name());
        return new Campaigning(group.name(), node.self().node().toString());
    }

    private record Campaigning(String name, String node) {}

    /** Server-sent events: first how everything is, then every change. */
    private void watch(ServerRequest request, ServerResponse response) throws InterruptedException {
        boolean everywhere =
                request.query().first("scope").map(HttpDoor::isCluster).orElse(true);
        if (watches.size() >= WATCHES_MAX) {
            throw new Trouble(429, "too-many", "too many watch this node", "watch another one");
        }
        var watch = new Watch(node);
        watches.add(watch);
        node.watch(watch, everywhere);
        try (var sink = response.sink(SseSink.TYPE)) {
            while (!watch.isOver()) {
                var change = watch.next(ALIVE);
                sink.emit(change.map(HttpDoor::event).orElse(STILL));
            }
        } catch (UncheckedIOException gone) {
            LOG.debug("nobody watches any more", gone);
        } finally {
            node.unwatch(watch);
            watches.remove(watch);
        }
    }

    private static boolean isCluster(String scope) {
        return switch (scope) {
            case "cluster" -> true;
            case "node" -> false;
            default -> throw Trouble.wrong("there is no scope '" + scope + "'", "it is cluster, or node");
        };
    }

    private static SseEvent event(Object change) {
        var name = switch (change) {
            case LockChange lock -> "lock";
            case LeaderChange leader -> "leader";
            default -> "node";
        };
        return SseEvent.builder().name(name).data(Answers.json(change)).build();
    }

    /** Clients are told that it closes, and have some time to give back what they hold. */
    @Override
    public void close() {
        leases.close();
        watches.forEach(Watch::end);
        server.stop();
    }
}
