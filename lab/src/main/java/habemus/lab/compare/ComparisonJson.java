package habemus.lab.compare;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.world.Problem;
import java.util.List;
import java.util.Locale;

/** A comparison as JSON. The names of the fields are stable. */
public final class ComparisonJson {

    private ComparisonJson() {}

    public static JsonObject of(Problem problem, List<ComparisonRow> rows) {
        var all = new JsonArray();
        rows.forEach(row -> all.add(of(row)));
        var json = new JsonObject();
        json.addProperty("problem", problem.toString());
        json.add("rows", all);
        return json;
    }

    private static JsonObject of(ComparisonRow row) {
        var measured = new JsonObject();
        row.soloMessages().ifPresent(alone -> measured.addProperty("messagesAlone", alone));
        row.contendedMessages().ifPresent(busy -> {
            measured.addProperty("messages", busy.value());
            measured.addProperty("messagesOff", busy.margin());
        });
        measured.addProperty("clientDelay", row.clientDelay());
        row.handoverDelay().ifPresent(delay -> measured.addProperty("handoverDelay", delay));
        row.rounds().ifPresent(rounds -> measured.addProperty("rounds", rounds));
        measured.addProperty("maxMessageSize", row.largestMessage());
        measured.addProperty("busiestShare", row.busiestNodeShare());
        var expected = new JsonArray();
        for (var costComparison : row.costComparisons()) {
            var cost = new JsonObject();
            cost.addProperty(
                    "what", costComparison.costFormula().measure().name().toLowerCase(Locale.ROOT));
            cost.addProperty("formula", costComparison.costFormula().formula());
            cost.addProperty("expected", costComparison.expected());
            cost.addProperty("measured", costComparison.measured());
            cost.addProperty("agrees", costComparison.agrees());
            expected.add(cost);
        }
        var json = new JsonObject();
        json.addProperty("algorithm", row.algorithm().name());
        json.addProperty("n", row.nodes());
        json.add("measured", measured);
        json.add("expected", expected);
        json.addProperty("agrees", row.agrees());
        return json;
    }
}
