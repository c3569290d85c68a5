package habemus.web;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmOption;
import habemus.catalogue.Catalogue;
import habemus.lab.advice.AlgorithmForm;
import habemus.lab.experiment.AlgorithmOptionText;
import habemus.lab.experiment.WorldOption;
import habemus.world.FaultKind;
import habemus.world.Property;
import java.util.Arrays;
import java.util.Set;

/** What the page offers to choose from: algorithms, options, properties and kinds of faults. */
final class CatalogueDocument {

    private CatalogueDocument() {}

    static JsonObject create() {
        var json = new JsonObject();
        var algorithms = new JsonArray();
        Catalogue.ALL.forEach(algorithm -> algorithms.add(algorithm(algorithm)));
        json.add("algorithms", algorithms);
        var worldOptions = new JsonArray();
        Arrays.stream(WorldOption.values()).forEach(option -> worldOptions.add(option(option)));
        json.add("worldOptions", worldOptions);
        var properties = new JsonArray();
        Arrays.stream(Property.values())
                .forEach(property -> properties.add(named(property.toString(), property.sentence())));
        json.add("properties", properties);
        var faultKinds = new JsonArray();
        Arrays.stream(FaultKind.values()).forEach(kind -> faultKinds.add(named(kind.toString(), kind.sentence())));
        json.add("faultKinds", faultKinds);
        return json;
    }

    private static JsonObject named(String name, String sentence) {
        var json = new JsonObject();
        json.addProperty("name", name);
        json.addProperty("sentence", sentence);
        return json;
    }

    private static JsonObject algorithm(Algorithm algorithm) {
        var json = new JsonObject();
        json.addProperty("name", algorithm.name());
        json.addProperty("problem", algorithm.problem().toString());
        json.addProperty("summary", algorithm.summary());
        json.addProperty("broken", algorithm.broken());
        json.addProperty("shape", algorithm.shape().toString());
        var form = AlgorithmForm.of(algorithm);
        var survives = new JsonArray();
        Arrays.stream(FaultKind.values())
                .filter(kind -> !algorithm.broken() && form.survives(Set.of(kind)))
                .forEach(kind -> survives.add(kind.toString()));
        json.add("survives", survives);
        var options = new JsonArray();
        algorithm.options().forEach(option -> options.add(option(option)));
        json.add("options", options);
        return json;
    }

    private static JsonObject option(AlgorithmOption<?> option) {
        var json = new JsonObject();
        json.addProperty("option", "--" + option.name());
        json.addProperty("value", option.valueSyntax());
        json.addProperty("default", AlgorithmOptionText.defaultText(option));
        json.addProperty("help", option.help());
        return json;
    }

    private static JsonObject option(WorldOption option) {
        var json = new JsonObject();
        json.addProperty("option", option.option());
        json.addProperty("form", option.form());
        json.addProperty("example", option.example());
        json.addProperty("section", option.section().heading());
        json.addProperty("help", option.description());
        json.addProperty("default", option.defaultText());
        json.add(
                "problem",
                option.problem().isPresent()
                        ? new JsonPrimitive(option.problem().get().toString())
                        : JsonNull.INSTANCE);
        json.addProperty("isFlag", option.isFlag());
        json.addProperty("isRepeatable", option.isRepeatable());
        return json;
    }
}
