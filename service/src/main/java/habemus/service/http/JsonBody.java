package habemus.service.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import habemus.lockservice.TicketId;
import habemus.lockservice.name.NameRule;
import habemus.lockservice.name.PrintableText;
import java.util.List;
import java.util.Optional;

/** The body of a request: a small JSON object. Unknown fields are rejected, so that typing errors are noticed. */
record JsonBody(JsonObject object) {

    private static final int TEXT_MAX_CHARS = 200;

    static final JsonBody EMPTY = new JsonBody(new JsonObject());

    /** Parses the content. An empty body counts as an empty object. */
    static JsonBody read(byte[] content, List<String> allowedFields) {
        var text = new String(content, UTF_8);
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

    private static String example(List<String> allowedFields) {
        return allowedFields.contains("lease") ? "{\"lease\": 10000}" : "{}";
    }

    Optional<String> text(String name) {
        return primitive(name).map(value -> {
            if (!value.isString()) {
                throw invalidText(name, value.toString());
            }
            return requirePrintable(name, value.getAsString());
        });
    }

    /** The name of a client, an owner or a candidate. */
    Optional<String> name(String field) {
        return primitive(field).map(value -> checkName(field, value.getAsString()));
    }

    /** @throws ApiException 400 if the name is refused */
    static String checkName(String what, String name) {
        NameRule.violation(name).ifPresent(reason -> {
            throw ApiException.badRequest(
                    "invalid " + what + ": '" + PrintableText.escape(name) + "' (" + reason + ")", NameRule.HINT);
        });
        return name;
    }

    /** @throws ApiException if the text is empty, too long, or not printable */
    static String requirePrintable(String name, String text) {
        if (text.isBlank() || text.length() > TEXT_MAX_CHARS || !PrintableText.isPrintable(text)) {
            throw invalidText(name, '"' + text + '"');
        }
        return text;
    }

    private static ApiException invalidText(String name, String value) {
        return ApiException.badRequest(
                "invalid " + name + ": " + PrintableText.escape(value) + " (a string)",
                "use 1 to " + TEXT_MAX_CHARS + " printable characters");
    }

    /** The ticket id that the client has chosen, if any. */
    Optional<String> ticket() {
        return text("ticket").map(text -> {
            if (!TicketId.isValid(text)) {
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
