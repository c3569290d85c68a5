package habemus.service.http;

import habemus.service.algorithm.AlgorithmNode;
import habemus.service.server.LockServerNode;
import habemus.service.server.Principal;
import habemus.service.transport.TlsContexts;
import io.helidon.common.tls.TlsClientAuth;
import io.helidon.common.tls.TlsConfig;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.http.sse.SseEvent;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.sse.SseSink;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP API of a node: status, locks, elections and watch events, in JSON. Thread-safe. */
public final class HttpServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
    private static final String WATCH = "/watch";
    private static final long KEEP_ALIVE_MILLIS = 1_000;
    private static final SseEvent KEEP_ALIVE_EVENT =
            SseEvent.builder().name("keep-alive").data("{}").build();
    private static final int WATCHES_MAX = 100;
    private static final int PAYLOAD_MAX_BYTES = 16_384; // larger bodies are rejected unread
    private static final String BEARER = "Bearer ";

    private final NodeApi nodeApi;
    private final Set<ChangeFeed> feeds = ConcurrentHashMap.newKeySet();
    private final WebServer server;
    private final InetSocketAddress address;

    /**
     * Starts the API of a node that runs classic algorithms.
     *
     * @throws IllegalStateException if the address is in use
     */
    public HttpServer(AlgorithmNode node, InetSocketAddress address) {
        this(new AlgorithmNodeApi(node), address, Optional.empty());
    }

    /**
     * Starts the API of a lock server at the HTTP address of its configuration, with TLS if configured.
     *
     * @throws IllegalStateException if the address is in use
     */
    public HttpServer(LockServerNode node) {
        this(
                new LockServerApi(node),
                node.config().httpAddress(),
                node.config().tls().map(TlsContexts::of));
    }

    private HttpServer(NodeApi nodeApi, InetSocketAddress address, Optional<SSLContext> tls) {
        this.nodeApi = nodeApi;
        var config = WebServer.builder()
                .address(address.getAddress())
                .port(address.getPort())
                .maxPayloadSize(PAYLOAD_MAX_BYTES)
                .shutdownHook(false)
                .shutdownGracePeriod(Duration.ofMillis(200))
                .connectionOptions(ClientDisconnect.options())
                .protocolsDiscoverServices(false)
                .addConnectionSelector(ClientDisconnect.selector())
                .directHandlers(ErrorHandler::installDirectHandlers)
                .routing(this::route);
        tls.ifPresent(context -> config.tls(TlsConfig.builder()
                .sslContext(context)
                .clientAuth(TlsClientAuth.OPTIONAL)
                .build()));
        server = config.build();
        try {
            server.start();
        } catch (RuntimeException failed) {
            throw new IllegalStateException("cannot listen for HTTP at " + hostAndPort(address), failed);
        }
        this.address = new InetSocketAddress(address.getAddress(), server.port());
        nodeApi.setHttpAddress(hostAndPort(this.address));
        warnIfExposed(tls.isPresent());
    }

    private void warnIfExposed(boolean hasTls) {
        boolean isUnrestricted = nodeApi.access().isUnrestricted();
        if (!address.getAddress().isLoopbackAddress() && (!hasTls || isUnrestricted)) {
            LOG.warn(
                    "HTTP API is exposed beyond loopback address={} tls={} policy={}",
                    hostAndPort(address),
                    hasTls,
                    !isUnrestricted);
        }
    }

    /** The listening address; the port is the real one if port 0 was configured. */
    public InetSocketAddress address() {
        return address;
    }

    private static String hostAndPort(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    private void route(HttpRouting.Builder routing) {
        ErrorHandler.install(routing);
        routing.addFilter(ErrorHandler::rejectCrossOrigin);
        routing.get(WATCH, this::watch).any(WATCH, ErrorHandler.methodNotAllowed("GET"));
        var paths = nodeApi.routes().stream()
                .collect(Collectors.groupingBy(Route::path, LinkedHashMap::new, Collectors.toList()));
        paths.forEach((path, routes) -> install(routing, path, routes));
        routing.any(ErrorHandler.noSuchRoute(paths.keySet()));
    }

    private void install(HttpRouting.Builder routing, String path, List<Route> routes) {
        for (Route route : routes) {
            routing.route(Method.create(route.method()), path, (request, response) -> {
                var principal = path.equals("/health") ? Principal.ANONYMOUS : requirePrincipal(request);
                ErrorHandler.requireJson(request);
                var body = JsonBody.read(request.content().inputStream(), route.bodyFields());
                send(
                        response,
                        route.handler().handle(new ApiCall(request, body, principal, ClientDisconnect.current())));
            });
        }
        routing.any(
                path,
                ErrorHandler.methodNotAllowed(routes.stream().map(Route::method).collect(Collectors.joining(" or "))));
    }

    private static Optional<String> certificate(ServerRequest request) {
        return request.remotePeer()
                .tlsPrincipal()
                .map(java.security.Principal::getName)
                .flatMap(TlsContexts::commonName);
    }

    /** Identifies the caller by token or certificate, by the policy as it is now. */
    private Optional<Principal> authenticate(ServerRequest request) {
        var token = request.headers()
                .first(HeaderNames.AUTHORIZATION)
                .filter(text -> text.startsWith(BEARER))
                .map(text -> text.substring(BEARER.length()).strip())
                .orElse("");
        return nodeApi.access().authenticate(token, certificate(request));
    }

    private Principal requirePrincipal(ServerRequest request) {
        return authenticate(request).orElseThrow(() -> {
            var name = certificate(request).orElse("unknown client");
            nodeApi.access().reportUnauthenticated(name, request.remotePeer().host(), "authenticate");
            return new ApiException(
                    401,
                    "unauthenticated",
                    "authentication failed: unknown token or certificate",
                    "send Authorization: Bearer TOKEN, or use a client certificate of the policy");
        });
    }

    private static void send(ServerResponse response, Object result) {
        response.header(HeaderNames.CACHE_CONTROL, "no-store");
        if (result instanceof Route.RawResponse(var type, var bytes)) {
            response.header(HeaderNames.CONTENT_TYPE, type).send(bytes);
        } else {
            response.header(HeaderNames.CONTENT_TYPE, ErrorHandler.JSON).send(ApiResponses.json(result));
        }
    }

    /**
     * Streams server-sent events: first the current state, then every change. The stream ends if the policy no longer
     * knows the caller.
     */
    private void watch(ServerRequest request, ServerResponse response) throws InterruptedException {
        boolean clusterWide =
                request.query().first("scope").map(HttpServer::isClusterScope).orElse(true);
        var call = new ApiCall(request, JsonBody.EMPTY, requirePrincipal(request), ClientDisconnect.current());
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
            try (var sink = response.sink(SseSink.TYPE)) {
                while (!feed.isClosed() && authenticate(request).equals(Optional.of(call.principal()))) {
                    nodeApi.refresh(feed);
                    sink.emit(
                            feed.next(KEEP_ALIVE_MILLIS).map(HttpServer::event).orElse(KEEP_ALIVE_EVENT));
                }
            }
        } catch (UncheckedIOException disconnected) {
            LOG.debug("watch client disconnected", disconnected);
        } finally {
            nodeApi.unwatch(feed);
            feeds.remove(feed);
        }
    }

    private static boolean isClusterScope(String scope) {
        return switch (scope) {
            case "cluster" -> true;
            case "node" -> false;
            default -> throw ApiException.badRequest("invalid scope: '" + scope + "'", "use cluster or node");
        };
    }

    private static SseEvent event(ChangeFeed.Change change) {
        return SseEvent.builder()
                .name(change.event())
                .data(ApiResponses.json(change.data()))
                .build();
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
        server.stop();
    }
}
