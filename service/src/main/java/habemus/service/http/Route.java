package habemus.service.http;

import java.util.List;

/**
 * A request that a node answers: method, path and handler.
 *
 * @param path with parameters in braces, for example {@code /locks/{name}}
 * @param bodyFields the allowed fields of the JSON body
 */
record Route(String method, String path, List<String> bodyFields, Handler handler) {

    /** Returns a record, which is sent as JSON, a {@link StatusResponse}, or a {@link RawResponse}. */
    interface Handler {
        Object handle(ApiCall call);
    }

    /** A response that is not JSON, or already encoded. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record RawResponse(String type, byte[] bytes) {}

    /** A JSON response with another status than 200. */
    record StatusResponse(int status, Object body) {}

    static Route get(String path, Handler handler) {
        return new Route("GET", path, List.of(), handler);
    }

    static Route post(String path, List<String> bodyFields, Handler handler) {
        return new Route("POST", path, bodyFields, handler);
    }

    static Route delete(String path, Handler handler) {
        return new Route("DELETE", path, List.of(), handler);
    }

    /** Whether the path has no parameters. */
    boolean hasFixedPath() {
        return path.indexOf('{') < 0;
    }
}
