package habemus.service.http;

import habemus.service.server.Principal;
import io.helidon.webserver.http.ServerRequest;

/**
 * A request on its way to its answer.
 *
 * @param principal whose it is, as far as that is known
 * @param clientDisconnect through which the answer goes
 */
record ApiCall(ServerRequest request, JsonBody jsonBody, Principal principal, ClientDisconnect clientDisconnect) {

    private static final long DEFAULT_WAIT_MILLIS = 10_000; // milliseconds, as all of these
    private static final long WAIT_MAX_MILLIS = 600_000;
    private static final long DEFAULT_LEASE_MILLIS = 10_000;
    private static final long LEASE_MIN_MILLIS = 100;
    private static final long LEASE_MAX_MILLIS = 600_000;

    /** A part of the path. */
    String pathParameter(String name) {
        return request.path().pathParameters().get(name);
    }

    String name() {
        return pathParameter("name");
    }

    String id() {
        return pathParameter("id");
    }

    /** Where it comes from. */
    String host() {
        return request.remotePeer().host();
    }

    /** How long the answer may take, as the path says. */
    long queryWaitMillis() {
        return request.query()
                .first("wait")
                .map(text -> JsonBody.millis("wait", text, 0, WAIT_MAX_MILLIS))
                .orElse(0L);
    }

    /** The same, as the body says. */
    long bodyWaitMillis() {
        return jsonBody.millis("wait", DEFAULT_WAIT_MILLIS, 1, WAIT_MAX_MILLIS);
    }

    long leaseMillis() {
        return jsonBody.millis("lease", DEFAULT_LEASE_MILLIS, LEASE_MIN_MILLIS, LEASE_MAX_MILLIS);
    }

    String client() {
        return jsonBody.text("client").orElse("http");
    }
}
