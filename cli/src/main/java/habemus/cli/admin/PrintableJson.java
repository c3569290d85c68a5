package habemus.cli.admin;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import habemus.lockservice.name.PrintableText;

/** What a node has answered, with control and format characters escaped, so that it can be printed. */
final class PrintableJson {

    private PrintableJson() {}

    static JsonObject of(JsonObject object) {
        var printable = new JsonObject();
        object.entrySet()
                .forEach(member -> printable.add(PrintableText.escape(member.getKey()), of(member.getValue())));
        return printable;
    }

    private static JsonElement of(JsonElement element) {
        return switch (element) {
            case JsonObject object -> of(object);
            case JsonArray array -> {
                var printable = new JsonArray(array.size());
                array.forEach(item -> printable.add(of(item)));
                yield printable;
            }
            case JsonPrimitive text when text.isString() -> new JsonPrimitive(PrintableText.escape(text.getAsString()));
            default -> element;
        };
    }
}
