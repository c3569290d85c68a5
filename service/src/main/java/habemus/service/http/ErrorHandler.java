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

/** Whatever is wrong with a request is answered in JSON, with a reason and a hint. */
final class ErrorHandler {

    static final String JSON = "application/json";

    private static final Logger LOG = LoggerFactory.getLogger(ErrorHandler.class);

    private ErrorHandler() {}

    static void install(HttpRouting.Builder routing) {
        routing.error(ApiException.class, (request, response, apiException) -> send(response, apiException));
        routing.error(HttpException.class, (request, response, wrong) -> send(response, of(wrong.status())));
        routing.error(Exception.class, (request, response, bug) -> {
            LOG.error(
                    "{} {} failed", request.prologue().method(), request.path().path(), bug);
            send(response, of(Status.INTERNAL_SERVER_ERROR_500));
        });
    }

    private static void send(ServerResponse response, ApiException apiException) {
        response.status(apiException.status())
                .header(HeaderNames.CONTENT_TYPE, JSON)
                .send(ApiResponses.json(apiException.body()));
    }

    /** What is wrong before it is even a request. */
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
            case 413 -> new ApiException(413, "too-large", "the body is too large", "it has at most 4096 bytes");
            case 500 -> new ApiException(500, "bug", "something impossible happened", "the log of the node says what");
            default ->
                new ApiException(
                        status.code(),
                        "wrong",
                        "this is no request: " + status.reasonPhrase().toLowerCase(Locale.ROOT),
                        "docs/http.md shows what can be asked");
        };
    }

    static Handler methodNotAllowed(String method) {
        return (request, response) -> {
            throw new ApiException(
                    405,
                    "other-method",
                    request.prologue().method() + " is not for "
                            + request.path().path(),
                    "use " + method);
        };
    }

    /** @param paths that there are, and the watch */
    static Handler noSuchRoute(Collection<String> paths) {
        var roots = Stream.concat(paths.stream(), Stream.of("/watch"))
                .map(path -> "/" + path.split("/", -1)[1])
                .distinct()
                .collect(Collectors.joining(", "));
        return (request, response) -> {
            throw ApiException.notFound("there is nothing at " + request.path().path(), "there is " + roots);
        };
    }

    /** A page of another site can send texts, but no JSON, without asking first. */
    static void requireJson(ServerRequest request) {
        var type = request.headers().contentType();
        if (request.content().hasEntity()
                && type.filter(given -> given.mediaType().text().equals(JSON)).isEmpty()) {
            throw new ApiException(415, "no-json", "the body is not said to be JSON", "send Content-Type: " + JSON);
        }
    }

    /** Pages of other sites have no business here, not even if their name leads to this machine. */
    static void rejectCrossOrigin(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        var origin = request.headers().first(HeaderNames.ORIGIN);
        if (origin.isPresent()) {
            throw new ApiException(403, "stranger", "a page of " + origin.get() + " may not ask here", "use a program");
        }
        chain.proceed();
    }
}
