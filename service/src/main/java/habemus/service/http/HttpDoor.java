package habemus.service.http;

import habemus.service.node.Node;
import habemus.service.session.FencedNode;
import habemus.service.session.Tls;
import habemus.service.session.Visitor;
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
import java.security.Principal;
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
public final class HttpDoor implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpDoor.class);
    private static final String WATCH = "/watch";
    private static final long ALIVE = 1_000; // milliseconds: how often a watch says that it is
    private static final SseEvent STILL =
            SseEvent.builder().name("alive").data("{}").build();
    private static final int WATCHES_MAX = 100;
    private static final int PAYLOAD_MAX = 16_384; // bytes; more is not even read
    private static final String BEARER = "Bearer ";

    private final Office office;
    private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
    private final WebServer server;
    private final InetSocketAddress address;

    /**
     * Opens that of a node with algorithms of the catalogue.
     *
     * @throws IllegalStateException if nothing can listen there
     */
    public HttpDoor(Node node, InetSocketAddress address) {
        this(new ClassicOffice(node), address, Optional.empty());
    }

    /**
     * Opens that of a node of the production service, where its config says, with TLS if that has it.
     *
     * @throws IllegalStateException if nothing can listen there
     */
    public HttpDoor(FencedNode node) {
        this(new FencedOffice(node), node.config().http(), node.config().tls().map(Tls::of));
    }

    private HttpDoor(Office office, InetSocketAddress address, Optional<SSLContext> tls) {
        this.office = office;
        var config = WebServer.builder()
                .address(address.getAddress())
                .port(address.getPort())
                .maxPayloadSize(PAYLOAD_MAX)
                .shutdownHook(false)
                .shutdownGracePeriod(Duration.ofMillis(200))
                .connectionOptions(Line.options())
                .protocolsDiscoverServices(false)
                .addConnectionSelector(Line.selector())
                .directHandlers(Errors::directly)
                .routing(this::route);
        tls.ifPresent(context -> config.tls(TlsConfig.builder()
                .sslContext(context)
                .clientAuth(TlsClientAuth.OPTIONAL)
                .build()));
        server = config.build();
        try {
            server.start();
        } catch (RuntimeException refused) {
            throw new IllegalStateException("cannot listen for HTTP at " + text(address), refused);
        }
        this.address = new InetSocketAddress(address.getAddress(), server.port());
        office.reachableAt(text(this.address));
        warn(tls.isPresent());
    }

    private void warn(boolean secret) {
        if (!address.getAddress().isLoopbackAddress()
                && (!secret || office.access().isOpen())) {
            LOG.warn(
                    "HTTP at {} {}",
                    text(address),
                    secret
                            ? "WITHOUT a policy: whoever reaches it may do EVERYTHING"
                            : "WITHOUT TLS: whoever sees the network sees tokens and tickets");
        }
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
        routing.get(WATCH, this::watch).any(WATCH, Errors.only("GET"));
        var paths = office.routes().stream()
                .collect(Collectors.groupingBy(Route::path, LinkedHashMap::new, Collectors.toList()));
        paths.forEach((path, routes) -> install(routing, path, routes));
        routing.any(Errors.noSuchRoute(paths.keySet()));
    }

    private void install(HttpRouting.Builder routing, String path, List<Route> routes) {
        for (Route route : routes) {
            routing.route(Method.create(route.method()), path, (request, response) -> {
                var visitor = path.equals("/health") ? Visitor.ANYBODY : visitor(request);
                Errors.requireJson(request);
                var body = Body.read(request.content().inputStream(), route.members());
                send(response, route.answering().answer(new Call(request, body, visitor, Line.current())));
            });
        }
        routing.any(path, Errors.only(routes.stream().map(Route::method).collect(Collectors.joining(" or "))));
    }

    private static Optional<String> certificate(ServerRequest request) {
        return request.remotePeer().tlsPrincipal().map(Principal::getName).flatMap(Tls::commonName);
    }

    /** Who asks, by token or certificate, as far as that is known now. */
    private Optional<Visitor> known(ServerRequest request) {
        var token = request.headers()
                .first(HeaderNames.AUTHORIZATION)
                .filter(text -> text.startsWith(BEARER))
                .map(text -> text.substring(BEARER.length()).strip())
                .orElse("");
        return office.access().who(token, certificate(request));
    }

    private Visitor visitor(ServerRequest request) {
        return known(request).orElseThrow(() -> {
            var who = certificate(request).orElse("somebody");
            office.access().refuse(who, request.remotePeer().host(), "is not known");
            return new Trouble(
                    401,
                    "not-known",
                    "this node does not know who you are",
                    "send Authorization: Bearer TOKEN, or show a certificate");
        });
    }

    private static void send(ServerResponse response, Object answer) {
        response.header(HeaderNames.CACHE_CONTROL, "no-store");
        if (answer instanceof Route.Raw(var type, var bytes)) {
            response.header(HeaderNames.CONTENT_TYPE, type).send(bytes);
        } else {
            response.header(HeaderNames.CONTENT_TYPE, Errors.JSON).send(Answers.json(answer));
        }
    }

    /** Server-sent events: first how everything is, then every change. */
    private void watch(ServerRequest request, ServerResponse response) throws InterruptedException {
        boolean everywhere =
                request.query().first("scope").map(HttpDoor::isCluster).orElse(true);
        var call = new Call(request, Body.EMPTY, visitor(request), Line.current());
        if (watches.size() >= WATCHES_MAX) {
            throw new Trouble(429, "too-many", "too many watch this node", "watch another one");
        }
        var watch = new Watch();
        watches.add(watch);
        try {
            office.watch(call, watch, everywhere);
            try (var sink = response.sink(SseSink.TYPE)) {
                while (!watch.isOver() && known(request).equals(Optional.of(call.visitor()))) {
                    office.stirred(watch);
                    sink.emit(watch.next(ALIVE).map(HttpDoor::event).orElse(STILL));
                }
            }
        } catch (UncheckedIOException gone) {
            LOG.debug("nobody watches any more", gone);
        } finally {
            office.unwatch(watch);
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

    private static SseEvent event(Watch.Change change) {
        return SseEvent.builder()
                .name(change.event())
                .data(Answers.json(change.data()))
                .build();
    }

    /** All that can be asked here, by path. */
    Map<String, List<Route>> routes() {
        return office.routes().stream().collect(Collectors.groupingBy(Route::path));
    }

    /** Clients are told that it closes, and have some time to give back what they hold. */
    @Override
    public void close() {
        office.close();
        watches.forEach(Watch::end);
        server.stop();
    }
}
