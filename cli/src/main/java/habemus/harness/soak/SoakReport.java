package habemus.harness.soak;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What came out of a soak. */
public record SoakReport(Soak soak, Soak.FaultSummary faultSummary, SoakResult findings) {

    public boolean hasPassed() {
        return faultSummary.problems().isEmpty() && findings.hasPassed();
    }

    public String text() {
        var lines = new ArrayList<String>();
        lines.add(findings.title(soak, faultSummary.seconds() / 60));
        lines.add("");
        faultSummary
                .faults()
                .forEach((kind, times) -> lines.add(format("- %,d times a node was %s", times, kind.description())));
        findings.events().forEach(event -> lines.add("- " + event));
        faultSummary.problems().forEach(trouble -> lines.add("- **" + trouble + "**"));
        lines.add("");
        lines.addAll(findings.verdicts());
        lines.add("");
        lines.add(hasPassed() ? "Nothing that is promised was violated." : "**Something is wrong.**");
        return String.join("\n", lines) + "\n";
    }

    public JsonObject json() {
        var json = new JsonObject();
        json.addProperty("nodes", soak.nodes());
        json.addProperty("seconds", faultSummary.seconds());
        json.addProperty("seed", soak.seed());
        json.add("faults", jsonCounts(faultSummary.faults()));
        findings.addTo(json);
        json.add("troubles", jsonArray(faultSummary.problems()));
        json.addProperty("fine", hasPassed());
        return json;
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is Error Prone's own, and no library of ours
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
