package habemus.web.data;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import habemus.lab.language.Language;
import habemus.lab.language.Translation;
import java.util.Set;

/** The texts of the catalogue in Portuguese, by the English text: the engine knows English only. */
final class PortugueseTexts {

    /** The fields of the catalogue that a user reads. All others are names. */
    private static final Set<String> TEXTS = Set.of("summary", "sentence", "help");

    private final Translation translation = Translation.to(Language.PORTUGUESE);
    private final JsonObject texts = new JsonObject();

    private PortugueseTexts() {}

    /** @throws IllegalStateException if a text has no translation */
    static JsonObject of(JsonElement catalogue) {
        var portuguese = new PortugueseTexts();
        portuguese.add(catalogue);
        return portuguese.texts;
    }

    private void add(JsonElement element) {
        if (element.isJsonArray()) {
            element.getAsJsonArray().forEach(this::add);
        } else if (element.isJsonObject()) {
            element.getAsJsonObject().entrySet().forEach(field -> {
                if (TEXTS.contains(field.getKey())) {
                    translate(field.getValue().getAsString());
                } else {
                    add(field.getValue());
                }
            });
        }
    }

    private void translate(String english) {
        if (!english.isEmpty()) {
            if (!translation.has(english)) {
                throw new IllegalStateException("pt.txt has no translation of: " + english);
            }
            texts.addProperty(english, translation.of(english));
        }
    }
}
