package habemus.service.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds the route of a request. The first route that matches wins. */
final class Router {

    private final List<Entry> entries;

    /** A route with the segments of its path. */
    private record Entry(Route route, List<String> pattern) {

        static Entry of(Route route) {
            return new Entry(route, List.of(route.path().substring(1).split("/", -1)));
        }
    }

    Router(List<Route> routes) {
        entries = routes.stream().map(Entry::of).toList();
    }

    /** @param pathParameters the values of the parameters in the path of the route */
    record Match(Route route, Map<String, String> pathParameters) {}

    /** @throws ApiException 404 if no route has this path, 405 if none has this method */
    Match match(String method, RequestTarget target) {
        var methods = new ArrayList<String>();
        for (var entry : entries) {
            var route = entry.route;
            var parameters = pathParameters(entry.pattern, target.segments());
            if (parameters.isPresent() && route.method().equals(method)) {
                return new Match(route, parameters.get());
            }
            if (parameters.isPresent()) {
                methods.add(route.method());
            }
        }
        if (methods.isEmpty()) {
            throw ApiException.notFound("unknown path: " + target.path(), "use one of " + roots());
        }
        throw new ApiException(
                405,
                "method-not-allowed",
                "method not allowed: " + method + " " + target.path(),
                "use " + methods.stream().distinct().collect(Collectors.joining(" or ")));
    }

    private static Optional<Map<String, String>> pathParameters(List<String> pattern, List<String> segments) {
        if (pattern.size() != segments.size()) {
            return Optional.empty();
        }
        var parameters = new HashMap<String, String>();
        for (int i = 0; i < pattern.size(); i++) {
            var part = pattern.get(i);
            var segment = segments.get(i);
            if (part.startsWith("{") && !segment.isEmpty()) {
                parameters.put(part.substring(1, part.length() - 1), segment);
            } else if (!part.equals(segment)) {
                return Optional.empty();
            }
        }
        return Optional.of(Map.copyOf(parameters));
    }

    private String roots() {
        return entries.stream()
                .map(entry -> "/" + entry.pattern.getFirst())
                .distinct()
                .collect(Collectors.joining(", "));
    }
}
