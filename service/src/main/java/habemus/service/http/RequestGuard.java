package habemus.service.http;

import habemus.service.server.AccessPolicy;
import habemus.service.server.Principal;
import habemus.service.transport.HttpExchange;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rejects requests of web pages, and identifies the client.
 *
 * <p>A web page of another site sends an {@code Origin}. After DNS rebinding its requests look like requests of the
 * same site, but their {@code Host} is the name of the attacker's site. So {@code Host} must be an IP address,
 * {@code localhost}, or a configured name. With TLS the certificate is this check.
 */
final class RequestGuard {

    private static final Pattern BEARER = Pattern.compile("(?i)bearer +(\\S+) *");
    private static final Pattern IP_ADDRESS =
            Pattern.compile("(?:\\d{1,3}\\.){3}\\d{1,3}|\\[[0-9a-f:.]+(?:%[0-9a-z.]+)?]");
    private static final Pattern HOST = Pattern.compile("(\\[[^]]*]|[^:]*)(?::\\d{0,5})?");

    private final boolean isHostChecked;
    private final Set<String> hostNames;

    /**
     * @param hasTls whether the connections are encrypted
     * @param hostNames under which clients reach the node
     */
    RequestGuard(boolean hasTls, Set<String> hostNames) {
        isHostChecked = !hasTls;
        this.hostNames = Stream.concat(Stream.of("localhost"), hostNames.stream())
                .map(RequestGuard::canonical)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static String canonical(String name) {
        var lowerCase = name.toLowerCase(Locale.ROOT);
        return lowerCase.endsWith(".") ? lowerCase.substring(0, lowerCase.length() - 1) : lowerCase;
    }

    /** @throws ApiException if a web page of another site may have sent the request */
    void check(HttpExchange exchange) {
        exchange.header("Origin").ifPresent(origin -> {
            throw new ApiException(
                    403,
                    "cross-origin",
                    "cross-origin request rejected: " + origin,
                    "send the request without an Origin header");
        });
        exchange.header("Host").filter(host -> isHostChecked && !isKnown(host)).ifPresent(host -> {
            throw new ApiException(
                    421,
                    "unknown-host",
                    "request for another host rejected: " + host,
                    "use the IP address of the node, or start it with --http-name");
        });
    }

    private boolean isKnown(String header) {
        var matcher = HOST.matcher(header);
        if (!matcher.matches()) {
            return false;
        }
        var host = canonical(matcher.group(1));
        return IP_ADDRESS.matcher(host).matches() || hostNames.contains(host);
    }

    /** Rejects other content types: a web page of another site can send plain text without a CORS preflight. */
    static void requireJson(HttpExchange exchange) {
        boolean isJson = exchange.header("Content-Type")
                .map(type -> type.split(";", 2)[0].strip())
                .filter(HttpServer.JSON::equalsIgnoreCase)
                .isPresent();
        if (exchange.body().length > 0 && !isJson) {
            throw new ApiException(
                    415,
                    "unsupported-media-type",
                    "content type of the body is not JSON",
                    "send Content-Type: " + HttpServer.JSON);
        }
    }

    /** Identifies the client by token or certificate, by the policy as it is now. */
    static Optional<Principal> authenticate(HttpExchange exchange, AccessPolicy policy) {
        var token = exchange.header("Authorization")
                .map(BEARER::matcher)
                .filter(matcher -> matcher.matches())
                .map(matcher -> matcher.group(1))
                .orElse("");
        return policy.authenticate(token, exchange.certificateName());
    }

    /** @throws ApiException 401 if the policy does not know the client */
    static Principal requirePrincipal(HttpExchange exchange, AccessPolicy policy) {
        return authenticate(exchange, policy).orElseThrow(() -> {
            policy.reportUnauthenticated(
                    exchange.certificateName().orElse("unknown client"), exchange.host(), "authenticate");
            return new ApiException(
                    401,
                    "unauthenticated",
                    "authentication failed: unknown token or certificate",
                    "send Authorization: Bearer TOKEN, or use a client certificate of the policy");
        });
    }
}
