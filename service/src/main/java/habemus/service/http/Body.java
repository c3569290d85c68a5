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
record Body(JsonObject object) {

    private static final int LARGEST = 4_096; // bytes
    private static final int LONGEST = 100; // characters of a text

    static final Body EMPTY = new Body(new JsonObject());

    /** Nothing at all is taken for an empty object. */
    static Body read(InputStream content, List<String> known) {
        var text = text(content);
        try {
            var parsed = text.isBlank() ? new JsonObject() : JsonParser.parseString(text);
            if (!(parsed instanceof JsonObject object)) {
                throw Trouble.wrong("the body is no JSON object", "write it as in " + example(known));
            }
            object.keySet().stream()
                    .filter(name -> !known.contains(name))
                    .findFirst()
                    .ifPresent(name -> {
                        throw Trouble.wrong(
                                "nothing is known of '" + name + "' here", "there is " + String.join(", ", known));
                    });
            return new Body(object);
        } catch (JsonParseException wrong) {
            throw Trouble.wrong("the body is no JSON", "write it as in " + example(known));
        }
    }

    private static String text(InputStream content) {
        try {
            var bytes = content.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new Trouble(413, "too-large", "the body is too large", "it has at most " + LARGEST + " bytes");
            }
            return new String(bytes, UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static String example(List<String> known) {
        return known.contains("lease") ? "{\"lease\": 10000}" : "{}";
    }

    Optional<String> text(String name) {
        return primitive(name).map(value -> {
            var text = value.getAsString();
            if (!value.isString()
                    || text.isBlank()
                    || text.length() > LONGEST
                    || text.chars().anyMatch(Character::isISOControl)) {
                throw Trouble.wrong(name + " is no text", "it has 1 to " + LONGEST + " characters that can be seen");
            }
            return text;
        });
    }

    /** A ticket that the client has drawn itself. */
    Optional<String> ticket() {
        return text("ticket").map(text -> {
            if (!text.matches("[0-9a-f]{32}")) {
                throw Trouble.wrong("ticket is none", "it has 32 hexadecimal digits, or is left out");
            }
            return text;
        });
    }

    /** Milliseconds. */
    long millis(String name, long standard, long least, long most) {
        return primitive(name)
                .map(value -> millis(name, value.getAsString(), least, most))
                .orElse(standard);
    }

    static long millis(String name, String text, long least, long most) {
        long millis = text.matches("\\d{1,9}") ? Long.parseLong(text) : -1;
        if (millis < least || millis > most) {
            throw Trouble.wrong(
                    name + " " + text + " is no such time", "it is from " + least + " to " + most + " milliseconds");
        }
        return millis;
    }

    /** A whole number. */
    long number(String name, long standard, long least, long most) {
        return primitive(name)
                .map(value -> {
                    var text = value.getAsString();
                    long number = text.matches("-?\\d{1,18}") ? Long.parseLong(text) : Long.MIN_VALUE;
                    if (number < least || number > most) {
                        throw Trouble.wrong(
                                name + " " + text + " is out of range", "it is from " + least + " to " + most);
                    }
                    return number;
                })
                .orElse(standard);
    }

    /** A text that must not be left out. */
    String required(String name) {
        return text(name)
                .orElseThrow(() -> Trouble.wrong(name + " is missing", "write it as in {\"" + name + "\": \"…\"}"));
    }

    /** Several texts, and at least one. */
    List<String> texts(String name) {
        if (!(object.get(name) instanceof JsonArray array) || array.isEmpty()) {
            throw Trouble.wrong(name + " is no list", "write it as in {\"" + name + "\": [\"a\", \"b\"]}");
        }
        return array.asList().stream()
                .map(each -> {
                    if (!each.isJsonPrimitive() || !each.getAsJsonPrimitive().isString()) {
                        throw Trouble.wrong("not all of " + name + " are texts", "write it as in [\"a\", \"b\"]");
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
            throw Trouble.wrong(name + " is neither a text nor a number", "write it as in {\"client\": \"me\"}");
        }
        return Optional.of(object.get(name).getAsJsonPrimitive());
    }
}
