package habemus.service.http;

import io.helidon.http.DirectHandler.EventType;
import io.helidon.http.DirectHandler.TransportResponse;
import io.helidon.http.HeaderNames;
import io.helidon.http.HttpException;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns every error of a request into a JSON response with a code, a message and a hint. */
final class ErrorHandler {

    static final String JSON = "application/json";

    private static final Logger LOG = LoggerFactory.getLogger(ErrorHandler.class);

    private ErrorHandler() {}

    static void install(HttpRouting.Builder routing) {
        routing.error(ApiException.class, (request, response, apiException) -> send(response, apiException));
        routing.error(HttpException.class, (request, response, error) -> send(response, of(error.status())));
        routing.error(Exception.class, (request, response, bug) -> {
            LOG.warn(
                    "HTTP request failed method={} path={}",
                    request.prologue().method(),
                    request.path().path(),
                    bug);
            send(response, of(Status.INTERNAL_SERVER_ERROR_500));
        });
    }

    private static void send(ServerResponse response, ApiException apiException) {
        response.status(apiException.status())
                .header(HeaderNames.CONTENT_TYPE, JSON)
                .send(ApiResponses.json(apiException.body()));
    }

    /** Errors that Helidon detects before routing, for example malformed HTTP. */
    static void installDirectHandlers(DirectHandlers.Builder handlers) {
        for (EventType type : EventType.values()) {
            handlers.addHandler(
                    type,
                    (request, event, status, headers, message) -> TransportResponse.builder()
                            .status(status)
                            .keepAlive(event.keepAlive())
                            .header(HeaderNames.CONTENT_TYPE, JSON)
                            .entity(ApiResponses.json(of(status).body()))
                            .build());
        }
    }

    private static ApiException of(Status status) {
        return switch (status.code()) {
            case 413 ->
                new ApiException(
                        413, "too-large", "request body too large (at most 4096 bytes)", "send a smaller body");
            case 500 ->
                new ApiException(
                        500, "internal-error", "internal error", "see the log of the node for the stack trace");
            default ->
                new ApiException(
                        status.code(),
                        "invalid-request",
                        "invalid request: " + status.reasonPhrase().toLowerCase(Locale.ROOT),
                        "see docs/http.md for all requests");
        };
    }

    static Handler methodNotAllowed(String method) {
        return (request, response) -> {
            throw new ApiException(
                    405,
                    "method-not-allowed",
                    "method not allowed: " + request.prologue().method() + " "
                            + request.path().path(),
                    "use " + method);
        };
    }

    /** @param paths all routes except {@code /watch} */
    static Handler noSuchRoute(Collection<String> paths) {
        var roots = Stream.concat(paths.stream(), Stream.of("/watch"))
                .map(path -> "/" + path.split("/", -1)[1])
                .distinct()
                .collect(Collectors.joining(", "));
        return (request, response) -> {
            throw ApiException.notFound("unknown path: " + request.path().path(), "use one of " + roots);
        };
    }

    /** Rejects other content types: a web page of another site can send plain text without a CORS preflight. */
    static void requireJson(ServerRequest request) {
        var type = request.headers().contentType();
        if (request.content().hasEntity()
                && type.filter(value -> value.mediaType().text().equals(JSON)).isEmpty()) {
            throw new ApiException(
                    415,
                    "unsupported-media-type",
                    "content type of the body is not JSON",
                    "send Content-Type: " + JSON);
        }
    }

    /** Rejects requests of web pages, also after DNS rebinding. */
    static void rejectCrossOrigin(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        var origin = request.headers().first(HeaderNames.ORIGIN);
        if (origin.isPresent()) {
            throw new ApiException(
                    403,
                    "cross-origin",
                    "cross-origin request rejected: " + origin.get(),
                    "send the request without an Origin header");
        }
        chain.proceed();
    }
}
