package habemus.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The document, and whether an answer is as it says. */
final class OpenApiDocument {

    static final JsonObject DOCUMENT = read();

    private OpenApiDocument() {}

    private static JsonObject read() {
        try {
            var folder = Path.of("").toAbsolutePath();
            while (!Files.exists(folder.resolve("verify"))) {
                folder = folder.getParent();
            }
            return JsonParser.parseString(Files.readString(folder.resolve("docs/openapi.json")))
                    .getAsJsonObject();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static JsonObject schemas() {
        return DOCUMENT.getAsJsonObject("components").getAsJsonObject("schemas");
    }

    /** Each as in GET /locks. */
    static Set<String> routes() {
        var routes = new TreeSet<String>();
        DOCUMENT.getAsJsonObject("paths")
                .entrySet()
                .forEach(path -> path.getValue()
                        .getAsJsonObject()
                        .keySet()
                        .forEach(method -> routes.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));
        return routes;
    }

    static JsonObject operation(String method, String path) {
        return DOCUMENT.getAsJsonObject("paths").getAsJsonObject(path).getAsJsonObject(method.toLowerCase(Locale.ROOT));
    }

    /** What the body may say. */
    static Set<String> members(String method, String path) {
        var body = operation(method, path).getAsJsonObject("requestBody");
        return body == null
                ? Set.of()
                : schema(body).getAsJsonObject("properties").keySet();
    }

    private static JsonObject schema(JsonObject holder) {
        return holder.getAsJsonObject("content")
                .entrySet()
                .iterator()
                .next()
                .getValue()
                .getAsJsonObject()
                .getAsJsonObject("schema");
    }

    /** @param path as it was asked, with names in it */
    static void check(String method, String path, int status, JsonObject answer) {
        var schema = status == 200
                ? schema(operation(method, template(method, path.replaceFirst("\\?.*", "")))
                        .getAsJsonObject("responses")
                        .getAsJsonObject("200"))
                : schemas().getAsJsonObject("Refused");
        check(schema, answer, method + " " + path);
    }

    private static String template(String method, String path) {
        return routes().stream()
                .filter(route -> route.startsWith(method + " "))
                .map(route -> route.substring(method.length() + 1))
                .sorted(Comparator.comparing(route -> route.contains("{")))
                .filter(route -> path.matches(route.replaceAll("\\{\\w+}", "[^/]+")))
                .findFirst()
                .orElseThrow(() -> new AssertionError(method + " " + path + " is not in the document"));
    }

    private static void check(JsonObject schema, JsonElement value, String where) {
        if (schema.has("$ref")) {
            var name = schema.get("$ref").getAsString();
            check(schemas().getAsJsonObject(name.substring(name.lastIndexOf('/') + 1)), value, where);
        } else if (schema.has("oneOf")) {
            assertThat(schema.getAsJsonArray("oneOf"))
                    .as(where)
                    .anySatisfy(one -> check(one.getAsJsonObject(), value, where));
        } else if (value.isJsonNull()) {
            assertThat(schema.has("nullable")).as(where + " is null").isTrue();
        } else {
            plain(schema, value, where);
        }
    }

    private static void plain(JsonObject schema, JsonElement value, String where) {
        switch (schema.get("type").getAsString()) {
            case "object" -> {
                if (schema.has("properties")) {
                    var properties = schema.getAsJsonObject("properties");
                    assertThat(value.getAsJsonObject().keySet()).as(where).isEqualTo(properties.keySet());
                    for (Map.Entry<String, JsonElement> each : properties.entrySet()) {
                        check(
                                each.getValue().getAsJsonObject(),
                                value.getAsJsonObject().get(each.getKey()),
                                where + " " + each.getKey());
                    }
                }
            }
            case "array" -> {
                JsonArray all = value.getAsJsonArray();
                all.forEach(each -> check(schema.getAsJsonObject("items"), each, where));
            }
            case "integer" -> assertThat(value.getAsString()).as(where).matches("-?\\d+");
            case "boolean" ->
                assertThat(value.getAsJsonPrimitive().isBoolean()).as(where).isTrue();
            default ->
                assertThat(value.getAsJsonPrimitive().isString()).as(where).isTrue();
        }
    }

    /** That are said of a record. */
    static List<String> properties(String schema) {
        return List.copyOf(
                schemas().getAsJsonObject(schema).getAsJsonObject("properties").keySet());
    }
}
