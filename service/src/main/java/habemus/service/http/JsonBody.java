package habemus.service.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/** The body of a request: a small JSON object. Unknown fields are rejected, so that typing errors are noticed. */
record JsonBody(JsonObject object) {

    private static final int BODY_MAX_BYTES = 4_096;
    private static final int TEXT_MAX_CHARS = 100;

    static final JsonBody EMPTY = new JsonBody(new JsonObject());

    /** Parses the content. An empty body counts as an empty object. */
    static JsonBody read(InputStream content, List<String> allowedFields) {
        var text = text(content);
        try {
            var parsed = text.isBlank() ? new JsonObject() : JsonParser.parseString(text);
            if (!(parsed instanceof JsonObject object)) {
                throw ApiException.badRequest(
                        "request body is not a JSON object", "example: " + example(allowedFields));
            }
            object.keySet().stream()
                    .filter(name -> !allowedFields.contains(name))
                    .findFirst()
                    .ifPresent(name -> {
                        throw ApiException.badRequest(
                                "unknown field: '" + name + "'",
                                allowedFields.isEmpty()
                                        ? "send no body"
                                        : "use one of " + String.join(", ", allowedFields));
                    });
            return new JsonBody(object);
        } catch (JsonParseException invalid) {
            throw ApiException.badRequest("request body is not JSON", "example: " + example(allowedFields));
        }
    }

    private static String text(InputStream content) {
        try {
            var bytes = content.readNBytes(BODY_MAX_BYTES + 1);
            if (bytes.length > BODY_MAX_BYTES) {
                throw new ApiException(
                        413,
                        "too-large",
                        "request body too large (at most " + BODY_MAX_BYTES + " bytes)",
                        "send a smaller body");
            }
            return new String(bytes, UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static String example(List<String> allowedFields) {
        return allowedFields.contains("lease") ? "{\"lease\": 10000}" : "{}";
    }

    Optional<String> text(String name) {
        return primitive(name).map(value -> {
            var text = value.getAsString();
            if (!value.isString()
                    || text.isBlank()
                    || text.length() > TEXT_MAX_CHARS
                    || text.chars().anyMatch(Character::isISOControl)) {
                throw ApiException.badRequest(
                        "invalid " + name + ": " + value + " (a string)",
                        "use 1 to " + TEXT_MAX_CHARS + " printable characters");
            }
            return text;
        });
    }

    /** The ticket id that the client has chosen, if any. */
    Optional<String> ticket() {
        return text("ticket").map(text -> {
            if (!text.matches("[0-9a-f]{32}")) {
                throw ApiException.badRequest(
                        "invalid ticket: '" + text + "'", "use 32 lower-case hexadecimal digits, or omit it");
            }
            return text;
        });
    }

    /** A duration in milliseconds. */
    long millis(String name, long defaultValue, long min, long max) {
        return primitive(name)
                .map(value -> millis(name, value.getAsString(), min, max))
                .orElse(defaultValue);
    }

    static long millis(String name, String text, long min, long max) {
        long millis = text.matches("\\d{1,9}") ? Long.parseLong(text) : -1;
        if (millis < min || millis > max) {
            throw ApiException.badRequest(
                    "invalid " + name + ": " + text, "use " + min + " to " + max + " milliseconds");
        }
        return millis;
    }

    /** A whole number. */
    long number(String name, long defaultValue, long min, long max) {
        return primitive(name)
                .map(value -> {
                    var text = value.getAsString();
                    long number = text.matches("-?\\d{1,18}") ? Long.parseLong(text) : Long.MIN_VALUE;
                    if (number < min || number > max) {
                        throw ApiException.badRequest(
                                "invalid " + name + ": " + text, "use a number from " + min + " to " + max);
                    }
                    return number;
                })
                .orElse(defaultValue);
    }

    /** A mandatory string. */
    String required(String name) {
        return text(name)
                .orElseThrow(
                        () -> ApiException.badRequest("missing field: " + name, "example: {\"" + name + "\": \"…\"}"));
    }

    /** A mandatory list of one or more strings. */
    List<String> texts(String name) {
        if (!(object.get(name) instanceof JsonArray array) || array.isEmpty()) {
            throw ApiException.badRequest(
                    "invalid " + name + " (a list of strings)", "example: {\"" + name + "\": [\"a\", \"b\"]}");
        }
        return array.asList().stream()
                .map(element -> {
                    if (!element.isJsonPrimitive()
                            || !element.getAsJsonPrimitive().isString()) {
                        throw ApiException.badRequest(
                                "invalid " + name + " (a list of strings)",
                                "example: {\"" + name + "\": [\"a\", \"b\"]}");
                    }
                    return element.getAsString();
                })
                .toList();
    }

    private Optional<JsonPrimitive> primitive(String name) {
        if (!object.has(name)) {
            return Optional.empty();
        }
        if (!object.get(name).isJsonPrimitive()) {
            throw ApiException.badRequest(
                    "invalid " + name + " (a string or a number)", "example: {\"client\": \"billing-1\"}");
        }
        return Optional.of(object.get(name).getAsJsonPrimitive());
    }
}
