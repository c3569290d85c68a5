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

/** What a client has sent: a small JSON object, of which only known members are accepted. */
record JsonBody(JsonObject object) {

    private static final int BODY_MAX_BYTES = 4_096; // bytes
    private static final int TEXT_MAX_CHARS = 100; // characters of a text

    static final JsonBody EMPTY = new JsonBody(new JsonObject());

    /** Nothing at all is taken for an empty object. */
    static JsonBody read(InputStream content, List<String> allowedFields) {
        var text = text(content);
        try {
            var parsed = text.isBlank() ? new JsonObject() : JsonParser.parseString(text);
            if (!(parsed instanceof JsonObject object)) {
                throw ApiException.badRequest("the body is no JSON object", "write it as in " + example(allowedFields));
            }
            object.keySet().stream()
                    .filter(name -> !allowedFields.contains(name))
                    .findFirst()
                    .ifPresent(name -> {
                        throw ApiException.badRequest(
                                "nothing is known of '" + name + "' here",
                                "there is " + String.join(", ", allowedFields));
                    });
            return new JsonBody(object);
        } catch (JsonParseException wrong) {
            throw ApiException.badRequest("the body is no JSON", "write it as in " + example(allowedFields));
        }
    }

    private static String text(InputStream content) {
        try {
            var bytes = content.readNBytes(BODY_MAX_BYTES + 1);
            if (bytes.length > BODY_MAX_BYTES) {
                throw new ApiException(
                        413, "too-large", "the body is too large", "it has at most " + BODY_MAX_BYTES + " bytes");
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
                        name + " is no text", "it has 1 to " + TEXT_MAX_CHARS + " characters that can be seen");
            }
            return text;
        });
    }

    /** A ticket that the client has drawn itself. */
    Optional<String> ticket() {
        return text("ticket").map(text -> {
            if (!text.matches("[0-9a-f]{32}")) {
                throw ApiException.badRequest("ticket is none", "it has 32 hexadecimal digits, or is left out");
            }
            return text;
        });
    }

    /** Milliseconds. */
    long millis(String name, long defaultValue, long min, long max) {
        return primitive(name)
                .map(value -> millis(name, value.getAsString(), min, max))
                .orElse(defaultValue);
    }

    static long millis(String name, String text, long min, long max) {
        long millis = text.matches("\\d{1,9}") ? Long.parseLong(text) : -1;
        if (millis < min || millis > max) {
            throw ApiException.badRequest(
                    name + " " + text + " is no such time", "it is from " + min + " to " + max + " milliseconds");
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
                                name + " " + text + " is out of range", "it is from " + min + " to " + max);
                    }
                    return number;
                })
                .orElse(defaultValue);
    }

    /** A text that must not be left out. */
    String required(String name) {
        return text(name)
                .orElseThrow(() ->
                        ApiException.badRequest(name + " is missing", "write it as in {\"" + name + "\": \"…\"}"));
    }

    /** Several texts, and at least one. */
    List<String> texts(String name) {
        if (!(object.get(name) instanceof JsonArray array) || array.isEmpty()) {
            throw ApiException.badRequest(name + " is no list", "write it as in {\"" + name + "\": [\"a\", \"b\"]}");
        }
        return array.asList().stream()
                .map(each -> {
                    if (!each.isJsonPrimitive() || !each.getAsJsonPrimitive().isString()) {
                        throw ApiException.badRequest(
                                "not all of " + name + " are texts", "write it as in [\"a\", \"b\"]");
                    }
                    return each.getAsString();
                })
                .toList();
    }

    private Optional<JsonPrimitive> primitive(String name) {
        if (!object.has(name)) {
            return Optional.empty();
        }
        if (!object.get(name).isJsonPrimitive()) {
            throw ApiException.badRequest(
                    name + " is neither a text nor a number", "write it as in {\"client\": \"me\"}");
        }
        return Optional.of(object.get(name).getAsJsonPrimitive());
    }
}
