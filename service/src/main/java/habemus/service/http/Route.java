package habemus.service.http;

import java.util.List;

/**
 * One thing that can be asked of a node.
 *
 * @param path with names in braces where anything may stand
 * @param bodyFields that the body may have
 */
record Route(String method, String path, List<String> bodyFields, Handler handler) {

    /** Whoever answers it; what it gives is sent as JSON, if it is no {@link RawResponse}. */
    interface Handler {
        Object handle(ApiCall apiCall);
    }

    /** An answer that is something other than JSON. */
    @SuppressWarnings("ArrayRecordComponent") // is only sent
    record RawResponse(String type, byte[] bytes) {}

    static Route get(String path, Handler handler) {
        return new Route("GET", path, List.of(), handler);
    }

    static Route post(String path, List<String> members, Handler handler) {
        return new Route("POST", path, members, handler);
    }

    static Route delete(String path, Handler handler) {
        return new Route("DELETE", path, List.of(), handler);
    }

    /** Whether it reads as it stands, without a name that may be anything. */
    boolean hasFixedPath() {
        return path.indexOf('{') < 0;
    }
}
