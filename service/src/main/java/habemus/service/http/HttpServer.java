package habemus.service.http;

import habemus.service.algorithm.AlgorithmNode;
import habemus.service.server.LockServerNode;
import habemus.service.server.Principal;
import habemus.service.server.TlsContexts;
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

/** Answers clients of a node over HTTP, in JSON: who is there, who holds and waits and leads; locks and elections. */
public final class HttpServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
    private static final String WATCH = "/watch";
    private static final long KEEP_ALIVE_MILLIS = 1_000; // milliseconds: how often a watch says that it is
    private static final SseEvent KEEP_ALIVE_EVENT =
            SseEvent.builder().name("alive").data("{}").build();
    private static final int WATCHES_MAX = 100;
    private static final int PAYLOAD_MAX_BYTES = 16_384; // bytes; more is not even read
    private static final String BEARER = "Bearer ";

    private final NodeApi nodeApi;
    private final Set<ChangeFeed> changeFeeds = ConcurrentHashMap.newKeySet();
    private final WebServer server;
    private final InetSocketAddress address;

    /**
     * Opens that of a node with algorithms of the catalogue.
     *
     * @throws IllegalStateException if nothing can listen there
     */
    public HttpServer(AlgorithmNode algorithmNode, InetSocketAddress address) {
        this(new AlgorithmNodeApi(algorithmNode), address, Optional.empty());
    }

    /**
     * Opens that of a node of the production service, where its config says, with TLS if that has it.
     *
     * @throws IllegalStateException if nothing can listen there
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
        } catch (RuntimeException refused) {
            throw new IllegalStateException("cannot listen for HTTP at " + hostAndPort(address), refused);
        }
        this.address = new InetSocketAddress(address.getAddress(), server.port());
        nodeApi.setHttpAddress(hostAndPort(this.address));
        warnIfExposed(tls.isPresent());
    }

    private void warnIfExposed(boolean secret) {
        if (!address.getAddress().isLoopbackAddress()
                && (!secret || nodeApi.access().isUnrestricted())) {
            LOG.warn(
                    "HTTP at {} {}",
                    hostAndPort(address),
                    secret
                            ? "WITHOUT a policy: whoever reaches it may do EVERYTHING"
                            : "WITHOUT TLS: whoever sees the network sees tokens and tickets");
        }
    }

    /** Where it listens. */
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
                var jsonBody = JsonBody.read(request.content().inputStream(), route.bodyFields());
                send(
                        response,
                        route.handler().handle(new ApiCall(request, jsonBody, principal, ClientDisconnect.current())));
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

    /** Who asks, by token or certificate, as far as that is known now. */
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
            var who = certificate(request).orElse("somebody");
            nodeApi.access().reportDenied(who, request.remotePeer().host(), "is not known");
            return new ApiException(
                    401,
                    "not-known",
                    "this node does not know who you are",
                    "send Authorization: Bearer TOKEN, or show a certificate");
        });
    }

    private static void send(ServerResponse response, Object answer) {
        response.header(HeaderNames.CACHE_CONTROL, "no-store");
        if (answer instanceof Route.RawResponse(var type, var bytes)) {
            response.header(HeaderNames.CONTENT_TYPE, type).send(bytes);
        } else {
            response.header(HeaderNames.CONTENT_TYPE, ErrorHandler.JSON).send(ApiResponses.json(answer));
        }
    }

    /** Server-sent events: first how everything is, then every change. */
    private void watch(ServerRequest request, ServerResponse response) throws InterruptedException {
        boolean clusterWide =
                request.query().first("scope").map(HttpServer::isClusterScope).orElse(true);
        var apiCall = new ApiCall(request, JsonBody.EMPTY, requirePrincipal(request), ClientDisconnect.current());
        if (changeFeeds.size() >= WATCHES_MAX) {
            throw new ApiException(429, "too-many", "too many watch this node", "watch another one");
        }
        var changeFeed = new ChangeFeed();
        changeFeeds.add(changeFeed);
        try {
            nodeApi.watch(apiCall, changeFeed, clusterWide);
            try (var sink = response.sink(SseSink.TYPE)) {
                while (!changeFeed.isClosed() && authenticate(request).equals(Optional.of(apiCall.principal()))) {
                    nodeApi.refresh(changeFeed);
                    sink.emit(changeFeed
                            .next(KEEP_ALIVE_MILLIS)
                            .map(HttpServer::event)
                            .orElse(KEEP_ALIVE_EVENT));
                }
            }
        } catch (UncheckedIOException gone) {
            LOG.debug("nobody watches any more", gone);
        } finally {
            nodeApi.unwatch(changeFeed);
            changeFeeds.remove(changeFeed);
        }
    }

    private static boolean isClusterScope(String scope) {
        return switch (scope) {
            case "cluster" -> true;
            case "node" -> false;
            default -> throw ApiException.badRequest("there is no scope '" + scope + "'", "it is cluster, or node");
        };
    }

    private static SseEvent event(ChangeFeed.Change change) {
        return SseEvent.builder()
                .name(change.event())
                .data(ApiResponses.json(change.data()))
                .build();
    }

    /** All that can be asked here, by path. */
    Map<String, List<Route>> routes() {
        return nodeApi.routes().stream().collect(Collectors.groupingBy(Route::path));
    }

    /** Clients are told that it closes, and have some time to give back what they hold. */
    @Override
    public void close() {
        nodeApi.close();
        changeFeeds.forEach(ChangeFeed::close);
        server.stop();
    }
}
