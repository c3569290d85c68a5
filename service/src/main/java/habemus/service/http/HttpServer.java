package habemus.service.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.service.algorithm.AlgorithmNode;
import habemus.service.server.HttpConfig;
import habemus.service.server.LockServerNode;
import habemus.service.server.Principal;
import habemus.service.transport.HttpExchange;
import habemus.service.transport.HttpListener;
import habemus.service.transport.TransportSecurity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP API of a node: status, locks, elections and watch events, in JSON. Thread-safe. */
public final class HttpServer implements AutoCloseable {

    static final String JSON = "application/json";

    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
    private static final String WATCH = "/watch";
    private static final String STALE_SINCE = "Habemus-Stale-Since";
    private static final Set<String> PUBLIC_PATHS = Set.of("/health", "/live", "/ready"); // no authentication
    private static final long KEEP_ALIVE_MILLIS = 1_000;
    private static final int WATCHES_MAX = 100;
    private static final HttpListener.Limits LIMITS = new HttpListener.Limits(
            Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofSeconds(10), 4_096, 4_000, 1_000);

    private final NodeApi nodeApi;
    private final Router router;
    private final RequestGuard guard;
    private final Set<ChangeFeed> feeds = ConcurrentHashMap.newKeySet();
    private final HttpListener listener;

    /**
     * Starts the API of a node that runs classic algorithms.
     *
     * @throws IllegalStateException if the address is in use
     */
    public HttpServer(AlgorithmNode node, HttpConfig config) {
        this(
                new AlgorithmNodeApi(node),
                config,
                node.config().selfMember().address().getHostString(),
                Optional.empty(),
                LIMITS);
    }

    /**
     * Starts the API of a lock server at the HTTP address of its configuration, with TLS if configured.
     *
     * @throws IllegalStateException if the address is in use
     */
    public HttpServer(LockServerNode node) {
        this(node, LIMITS);
    }

    HttpServer(LockServerNode node, HttpListener.Limits limits) {
        this(
                new LockServerApi(node),
                node.config().http(),
                node.config().selfMember().address().getHostString(),
                node.config().tls(),
                limits);
    }

    private HttpServer(
            NodeApi nodeApi,
            HttpConfig config,
            String nodeHost,
            Optional<TransportSecurity.Certificates> tls,
            HttpListener.Limits limits) {
        this.nodeApi = nodeApi;
        var names = new HashSet<>(config.names());
        names.add(nodeHost);
        names.add(config.address().getHostString());
        guard = new RequestGuard(tls.isPresent(), names);
        var routes = new ArrayList<>(nodeApi.routes());
        routes.add(Route.get(WATCH, call -> {
            throw new IllegalStateException("a watch is a stream");
        }));
        router = new Router(routes);
        listener = new HttpListener(
                "http-" + config.address().getPort(), config.address(), tls, limits, new RequestHandler());
        nodeApi.setHttpAddress(hostAndPort(address()));
        warnIfExposed(tls.isPresent());
        listener.open();
    }

    private void warnIfExposed(boolean hasTls) {
        boolean isUnrestricted = nodeApi.access().isUnrestricted();
        if (!address().getAddress().isLoopbackAddress() && (!hasTls || isUnrestricted)) {
            LOG.warn(
                    "HTTP API is exposed beyond loopback address={} tls={} policy={}",
                    hostAndPort(address()),
                    hasTls,
                    !isUnrestricted);
        }
    }

    /** The listening address; the port is the real one if port 0 was configured. */
    public InetSocketAddress address() {
        return listener.address();
    }

    private static String hostAndPort(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    /** Answers every request, each on its own thread. */
    private final class RequestHandler implements HttpListener.Handler {

        @Override
        public void handle(HttpExchange exchange) {
            long startNanos = System.nanoTime();
            int status;
            try {
                status = answer(exchange);
            } catch (ApiException rejected) {
                status = respond(exchange, rejected);
            } catch (RuntimeException bug) {
                LOG.warn(
                        "HTTP request failed address={} method={} path={}",
                        exchange.address(),
                        exchange.method(),
                        withoutTicket(exchange.target()),
                        bug);
                status = respond(exchange, ApiException.internalError());
            }
            LOG.debug(
                    "HTTP request address={} method={} path={} status={} millis={}",
                    exchange.address(),
                    exchange.method(),
                    withoutTicket(exchange.target()),
                    status,
                    Duration.ofNanos(System.nanoTime() - startNanos).toMillis());
        }

        @Override
        public byte[] rejection(int status, String reason) {
            return bytes(ApiException.rejection(status, reason).body());
        }
    }

    /** A ticket in a path is a secret. */
    private static String withoutTicket(String target) {
        return target.replaceFirst("^(/+tickets/+)[^/?]*", "$1…");
    }

    private static byte[] bytes(Object json) {
        return ApiResponses.json(json).getBytes(UTF_8);
    }

    private static int respond(HttpExchange exchange, ApiException rejected) {
        exchange.respond(rejected.status(), Map.of("Content-Type", JSON), bytes(rejected.body()));
        return rejected.status();
    }

    /** @return the status of the response */
    private int answer(HttpExchange exchange) {
        guard.check(exchange);
        var target = RequestTarget.parse(exchange.target());
        var match = router.match(exchange.method(), target);
        var route = match.route();
        var principal = PUBLIC_PATHS.contains(route.path())
                ? Principal.ANONYMOUS
                : RequestGuard.requirePrincipal(exchange, nodeApi.access());
        RequestGuard.requireJson(exchange);
        var body = JsonBody.read(exchange.body(), route.bodyFields());
        var call = new ApiCall(exchange, target, match.pathParameters(), body, principal);
        if (route.path().equals(WATCH)) {
            watch(call);
            return 200;
        }
        return send(exchange, route.handler().handle(call));
    }

    private int send(HttpExchange exchange, Object result) {
        switch (result) {
            case Route.RawResponse(var type, var bytes) -> exchange.respond(200, headers(type), bytes);
            case Route.StatusResponse(var status, var body) -> {
                exchange.respond(status, headers(JSON), bytes(body));
                return status;
            }
            case Object json -> exchange.respond(200, headers(JSON), bytes(json));
        }
        return 200;
    }

    /** If the answer may be old, they say since when. */
    private Map<String, String> headers(String type) {
        var headers = new HashMap<>(Map.of("Cache-Control", "no-store", "Content-Type", type));
        nodeApi.staleSince().ifPresent(since -> headers.put(STALE_SINCE, since));
        return headers;
    }

    /**
     * Streams server-sent events: first the current state, then every change. The stream ends if the policy no longer
     * knows the caller.
     */
    private void watch(ApiCall call) {
        boolean clusterWide =
                call.target().parameter("scope").map(HttpServer::isClusterScope).orElse(true);
        if (feeds.size() >= WATCHES_MAX) {
            throw new ApiException(
                    429,
                    "limit-exceeded",
                    "too many watch requests (at most " + WATCHES_MAX + ")",
                    "watch another node");
        }
        var feed = new ChangeFeed();
        feeds.add(feed);
        try {
            nodeApi.watch(call, feed, clusterWide);
            stream(call, feed);
        } catch (IOException disconnected) {
            LOG.debug("watch client disconnected address={}", call.exchange().address(), disconnected);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            nodeApi.unwatch(feed);
            feeds.remove(feed);
        }
    }

    private void stream(ApiCall call, ChangeFeed feed) throws IOException, InterruptedException {
        var exchange = call.exchange();
        var headers = Map.of("Content-Type", "text/event-stream", "Cache-Control", "no-cache");
        try (var stream = exchange.startStream(200, headers)) {
            while (!feed.isClosed()
                    && RequestGuard.authenticate(exchange, nodeApi.access()).equals(Optional.of(call.principal()))) {
                nodeApi.refresh(feed);
                var change = feed.next(KEEP_ALIVE_MILLIS);
                stream.write(event(
                        change.map(ChangeFeed.Change::event).orElse("keep-alive"),
                        change.map(known -> ApiResponses.json(known.data())).orElse("{}")));
            }
        }
    }

    private static byte[] event(String name, String data) {
        return ("event:" + name + "\ndata:" + data + "\n\n").getBytes(UTF_8);
    }

    private static boolean isClusterScope(String scope) {
        return switch (scope) {
            case "cluster" -> true;
            case "node" -> false;
            default -> throw ApiException.badRequest("invalid scope: '" + scope + "'", "use cluster or node");
        };
    }

    /** All routes by path, except {@code /watch}. */
    Map<String, List<Route>> routes() {
        return nodeApi.routes().stream().collect(Collectors.groupingBy(Route::path));
    }

    /** Ends waiting requests and watches. An algorithm node first waits up to 5 s for its holders to release. */
    @Override
    public void close() {
        nodeApi.close();
        feeds.forEach(ChangeFeed::close);
        listener.close();
    }
}
