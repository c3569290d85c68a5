package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What came out of a soak. */
record SoakReport(Soak soak, Soak.Course course, SoakFindings findings) {

    boolean isFine() {
        return course.troubles().isEmpty() && findings.areFine();
    }

    String text() {
        var lines = new ArrayList<String>();
        lines.add(findings.title(soak, course.seconds() / 60));
        lines.add("");
        course.faults().forEach((kind, times) -> lines.add(said("- %,d times a node was %s", times, kind.words())));
        findings.events().forEach(event -> lines.add("- " + event));
        course.troubles().forEach(trouble -> lines.add("- **" + trouble + "**"));
        lines.add("");
        lines.addAll(findings.judged());
        lines.add("");
        lines.add(isFine() ? "Nothing that is promised was violated." : "**Something is wrong.**");
        return String.join("\n", lines) + "\n";
    }

    JsonObject json() {
        var json = new JsonObject();
        json.addProperty("nodes", soak.nodes());
        json.addProperty("seconds", course.seconds());
        json.addProperty("seed", soak.seed());
        json.add("faults", counts(course.faults()));
        findings.addTo(json);
        json.add("troubles", texts(course.troubles()));
        json.addProperty("fine", isFine());
        return json;
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is Error Prone's own, and no library of ours
    static String said(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    static JsonArray texts(List<String> texts) {
        var array = new JsonArray();
        texts.forEach(array::add);
        return array;
    }

    static JsonObject counts(Map<? extends Enum<?>, ? extends Number> counts) {
        var json = new JsonObject();
        counts.forEach((kind, times) -> json.addProperty(kind.name(), times));
        return json;
    }
}
