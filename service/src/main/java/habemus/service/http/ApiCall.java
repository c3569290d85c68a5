package habemus.service.http;

import static java.util.Objects.requireNonNull;

import habemus.service.server.Principal;
import habemus.service.transport.HttpExchange;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One HTTP request with its parsed body and its authenticated caller. Holds the defaults and limits of the request
 * parameters.
 */
record ApiCall(
        HttpExchange exchange,
        RequestTarget target,
        Map<String, String> pathParameters,
        JsonBody body,
        Principal principal) {

    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|)");
    private static final long DEFAULT_WAIT_MILLIS = 10_000;
    private static final long WAIT_MAX_MILLIS = 600_000;
    private static final long DEFAULT_LEASE_MILLIS = 10_000;
    private static final long LEASE_MIN_MILLIS = 100;
    private static final long LEASE_MAX_MILLIS = 600_000;

    private String pathParameter(String name) {
        return requireNonNull(pathParameters.get(name));
    }

    /** @throws ApiException 400 if the name is refused */
    String name() {
        return JsonBody.checkName("name", pathParameter("name"));
    }

    String id() {
        return pathParameter("id");
    }

    /** The formats that the client accepts for the response. */
    Optional<String> accept() {
        return exchange.header("Accept");
    }

    /** The host of the client. */
    String host() {
        return exchange.host();
    }

    /** The query parameter {@code wait} in milliseconds, 0 if it is missing. Without a unit it is in seconds. */
    long queryWaitMillis() {
        return target.parameter("wait").map(ApiCall::waitMillis).orElse(0L);
    }

    private static long waitMillis(String text) {
        var duration = DURATION.matcher(text);
        if (duration.matches()) {
            long number = Long.parseLong(duration.group(1));
            long millis = switch (duration.group(2)) {
                case "ms" -> number;
                case "m" -> 60_000 * number;
                default -> 1_000 * number;
            };
            if (millis <= WAIT_MAX_MILLIS) {
                return millis;
            }
        }
        throw ApiException.badRequest("invalid wait: '" + text + "'", "use 0 to 600 seconds, such as 500ms or 5s");
    }

    /** The query parameter {@code prefix}: only names that begin with it. */
    String prefix() {
        return target.parameter("prefix").orElse("");
    }

    /** The query parameter {@code after}: only what comes after it in a listing. */
    String after() {
        return target.parameter("after").orElse("");
    }

    /** The query parameter {@code holder}: only what this client holds. */
    Optional<String> holder() {
        return target.parameter("holder");
    }

    /** The query parameter {@code limit}: the length of a page. */
    int limit() {
        var text = target.parameter("limit").orElse(Integer.toString(ListingPage.DEFAULT_LIMIT));
        int limit = text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
        if (limit < 1 || limit > ListingPage.MAX_LIMIT) {
            throw ApiException.badRequest("invalid limit: " + text, "use 1 to " + ListingPage.MAX_LIMIT);
        }
        return limit;
    }

    /** The body field of this name, or the query parameter. */
    Optional<String> bodyOrQuery(String name) {
        return body.text(name).or(() -> target.parameter(name).map(text -> JsonBody.requirePrintable(name, text)));
    }

    /** The body field {@code wait}. */
    long bodyWaitMillis() {
        return body.millis("wait", DEFAULT_WAIT_MILLIS, 1, WAIT_MAX_MILLIS);
    }

    long leaseMillis() {
        return body.millis("lease", DEFAULT_LEASE_MILLIS, LEASE_MIN_MILLIS, LEASE_MAX_MILLIS);
    }

    /** Whether the client has closed its connection, so that no response can reach it. */
    boolean isClientDisconnected() {
        return exchange.isDisconnected();
    }

    /** The body field {@code fence}. */
    Optional<Long> fence() {
        return body.object().has("fence") ? Optional.of(body.number("fence", 0, 1, Long.MAX_VALUE)) : Optional.empty();
    }

    String client() {
        return body.name("client").orElse("http");
    }

    /** The same for tickets of nested commands; empty for a ticket alone. */
    String owner() {
        return body.name("owner").orElse("");
    }
}
