package habemus.service.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The path and the query of a request, decoded. The path is split before it is decoded, so a name may contain a slash
 * as {@code %2F}. Nothing is normalized: {@code ..} is a segment like any other.
 *
 * @param segments of the path, decoded
 * @param parameters of the query, decoded; the first of each name
 */
record RequestTarget(List<String> segments, Map<String, String> parameters) {

    RequestTarget {
        segments = List.copyOf(segments);
        parameters = Map.copyOf(parameters);
    }

    /** @throws ApiException 400 if the target is not percent-encoded UTF-8 */
    static RequestTarget parse(String target) {
        if (!target.chars().allMatch(RequestTarget::isAllowed)) {
            throw malformed();
        }
        int query = target.indexOf('?');
        var path = query < 0 ? target : target.substring(0, query);
        var segments = Arrays.stream(path.substring(1).split("/", -1))
                .map(RequestTarget::decode)
                .toList();
        var parameters = new HashMap<String, String>();
        if (query >= 0) {
            for (String pair : target.substring(query + 1).split("&", -1)) {
                int equals = pair.indexOf('=');
                var name = equals < 0 ? pair : pair.substring(0, equals);
                var value = equals < 0 ? "" : pair.substring(equals + 1);
                parameters.putIfAbsent(decode(name), decode(value.replace('+', ' ')));
            }
        }
        return new RequestTarget(segments, parameters);
    }

    private static boolean isAllowed(int character) {
        return character > ' ' && character <= '~' && character != '#';
    }

    private static String decode(String text) {
        var bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character != '%') {
                bytes.write(character);
                continue;
            }
            if (i + 2 >= text.length()) {
                throw malformed();
            }
            int high = Character.digit(text.charAt(i + 1), 16);
            int low = Character.digit(text.charAt(i + 2), 16);
            if (high < 0 || low < 0) {
                throw malformed();
            }
            bytes.write(high << 4 | low);
            i += 2;
        }
        try {
            return UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException invalid) {
            throw malformed();
        }
    }

    private static ApiException malformed() {
        return ApiException.badRequest(
                "invalid request target (percent-encoded UTF-8)", "write / in a name as %2F, and % as %25");
    }

    Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name));
    }

    /** The path for people and logs, with its segments decoded. */
    String path() {
        return "/" + String.join("/", segments);
    }
}
