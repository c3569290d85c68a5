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

/** Reads docs/openapi.json and validates responses against its schemas. */
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

    /** Method and path, for example "GET /locks". */
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

    /** The fields of the request body. */
    static Set<String> bodyFields(String method, String path) {
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

    /** @param path of a request, with names in place of the parameters */
    static void check(String method, String path, int status, JsonObject response) {
        var schema = status == 200
                ? schema(operation(method, template(method, path.replaceFirst("\\?.*", "")))
                        .getAsJsonObject("responses")
                        .getAsJsonObject("200"))
                : schemas().getAsJsonObject("ErrorResponse");
        check(schema, response, method + " " + path);
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
                    .anySatisfy(option -> check(option.getAsJsonObject(), value, where));
        } else if (value.isJsonNull()) {
            assertThat(schema.has("nullable")).as(where + " is null").isTrue();
        } else {
            checkType(schema, value, where);
        }
    }

    private static void checkType(JsonObject schema, JsonElement value, String where) {
        switch (schema.get("type").getAsString()) {
            case "object" -> {
                if (schema.has("properties")) {
                    var properties = schema.getAsJsonObject("properties");
                    assertThat(value.getAsJsonObject().keySet()).as(where).isEqualTo(properties.keySet());
                    for (Map.Entry<String, JsonElement> property : properties.entrySet()) {
                        check(
                                property.getValue().getAsJsonObject(),
                                value.getAsJsonObject().get(property.getKey()),
                                where + " " + property.getKey());
                    }
                }
            }
            case "array" -> {
                JsonArray elements = value.getAsJsonArray();
                elements.forEach(element -> check(schema.getAsJsonObject("items"), element, where));
            }
            case "integer" -> assertThat(value.getAsString()).as(where).matches("-?\\d+");
            case "boolean" ->
                assertThat(value.getAsJsonPrimitive().isBoolean()).as(where).isTrue();
            default ->
                assertThat(value.getAsJsonPrimitive().isString()).as(where).isTrue();
        }
    }

    /** The property names of a schema. */
    static List<String> properties(String schema) {
        return List.copyOf(
                schemas().getAsJsonObject(schema).getAsJsonObject("properties").keySet());
    }
}
