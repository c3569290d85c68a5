package habemus.service.http;

import habemus.service.session.Visitor;
import io.helidon.webserver.http.ServerRequest;

/**
 * A request on its way to its answer.
 *
 * @param visitor whose it is, as far as that is known
 * @param line through which the answer goes
 */
record Call(ServerRequest request, Body body, Visitor visitor, Line line) {

    private static final long WAIT = 10_000; // milliseconds, as all of these
    private static final long WAIT_MAX = 600_000;
    private static final long LEASE = 10_000;
    private static final long LEASE_MIN = 100;
    private static final long LEASE_MAX = 600_000;

    /** A part of the path. */
    String part(String name) {
        return request.path().pathParameters().get(name);
    }

    String name() {
        return part("name");
    }

    String id() {
        return part("id");
    }

    /** Where it comes from. */
    String host() {
        return request.remotePeer().host();
    }

    /** How long the answer may take, as the path says. */
    long patience() {
        return request.query()
                .first("wait")
                .map(text -> Body.millis("wait", text, 0, WAIT_MAX))
                .orElse(0L);
    }

    /** The same, as the body says. */
    long waiting() {
        return body.millis("wait", WAIT, 1, WAIT_MAX);
    }

    long lease() {
        return body.millis("lease", LEASE, LEASE_MIN, LEASE_MAX);
    }

    String client() {
        return body.text("client").orElse("http");
    }
}
