package habemus.harness.soak;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The report of a soak, as Markdown and as JSON. */
public record SoakReport(Soak soak, Soak.FaultSummary faultSummary, SoakResult result) {

    public boolean hasPassed() {
        return faultSummary.problems().isEmpty() && result.hasPassed();
    }

    public String text() {
        var lines = new ArrayList<String>();
        lines.add(result.title(soak, faultSummary.seconds() / 60));
        lines.add("");
        faultSummary
                .faults()
                .forEach((kind, times) -> lines.add(format("- %,d times a node was %s", times, kind.description())));
        result.events().forEach(event -> lines.add("- " + event));
        faultSummary.problems().forEach(problem -> lines.add("- **" + problem + "**"));
        lines.add("");
        lines.addAll(result.verdicts());
        lines.add("");
        lines.add(hasPassed() ? "No guarantee was violated." : "**The soak failed.**");
        return String.join("\n", lines) + "\n";
    }

    public JsonObject json() {
        var json = new JsonObject();
        json.addProperty("nodes", soak.nodes());
        json.addProperty("seconds", faultSummary.seconds());
        json.addProperty("seed", soak.seed());
        json.add("faults", jsonCounts(faultSummary.faults()));
        result.addTo(json);
        json.add("problems", jsonArray(faultSummary.problems()));
        json.addProperty("passed", hasPassed());
        return json;
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is in a library that we do not use
    static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    static JsonArray jsonArray(List<String> texts) {
        var array = new JsonArray();
        texts.forEach(array::add);
        return array;
    }

    static JsonObject jsonCounts(Map<? extends Enum<?>, ? extends Number> counts) {
        var json = new JsonObject();
        counts.forEach((kind, times) -> json.addProperty(kind.name(), times));
        return json;
    }
}
