package habemus.service.http;

import java.util.List;

/**
 * One thing that can be asked of a node.
 *
 * @param path with names in braces where anything may stand
 * @param members that the body may have
 */
record Route(String method, String path, List<String> members, Answering answering) {

    /** Whoever answers it; what it gives is sent as JSON, if it is no {@link Raw}. */
    interface Answering {
        Object answer(Call call);
    }

    /** An answer that is something other than JSON. */
    @SuppressWarnings("ArrayRecordComponent") // is only sent
    record Raw(String type, byte[] bytes) {}

    static Route get(String path, Answering answering) {
        return new Route("GET", path, List.of(), answering);
    }

    static Route post(String path, List<String> members, Answering answering) {
        return new Route("POST", path, members, answering);
    }

    static Route delete(String path, Answering answering) {
        return new Route("DELETE", path, List.of(), answering);
    }

    /** Whether it reads as it stands, without a name that may be anything. */
    boolean isPlain() {
        return path.indexOf('{') < 0;
    }
}
