package habemus.harness.attack;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.harness.bench.Benchmark;
import java.util.List;

/** The report of a campaign, as Markdown and as JSON. */
public record AttackReport(AttackBudget budget, List<AttackResult> results) {

    public boolean isRepelled() {
        return results.stream().allMatch(AttackResult::isRepelled);
    }

    public String text() {
        var text = new StringBuilder("| attack | sent | time | honest client: cycles, p99 (before) | verdict |\n");
        text.append("|---|---|---|---|---|\n");
        for (var result : results) {
            text.append(AttackRun.format(
                    "| `%s` | %s | %.0f s | %s | %s |%n",
                    result.name(),
                    result.done(),
                    result.seconds(),
                    result.honest().map(AttackReport::service).orElse(""),
                    result.isRepelled() ? "repelled" : "**FAILED**"));
        }
        for (var result : results) {
            result.failures()
                    .forEach(failure -> text.append("\n- **")
                            .append(result.name())
                            .append("**: ")
                            .append(failure));
        }
        return text.append(AttackRun.format("%nSeed %d. ", budget.seed()))
                .append(Benchmark.machine())
                .toString();
    }

    private static String service(AttackResult.Service service) {
        return AttackRun.format(
                "%,d, %.1f ms (%.1f ms)", service.cycles(), service.p99Millis(), service.baselineP99Millis());
    }

    public JsonObject json() {
        var json = new JsonObject();
        json.addProperty("seed", budget.seed());
        var attacks = new JsonArray();
        results.forEach(result -> attacks.add(result.json()));
        json.add("attacks", attacks);
        json.addProperty("repelled", isRepelled());
        return json;
    }
}
