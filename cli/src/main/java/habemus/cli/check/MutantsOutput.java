package habemus.cli.check;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.lab.mutation.KilledMutant;
import habemus.lab.mutation.KillingRun;
import habemus.lab.mutation.Mutant;
import habemus.lab.mutation.SourceChange;
import habemus.lab.table.AnsiColors;
import habemus.lab.table.TextTable;
import habemus.lab.trace.TimeScale;
import habemus.lab.trace.TraceJson;
import java.util.List;
import java.util.Optional;

/**
 * Mutants and their killing runs, as text and as JSON.
 *
 * @param survivors mutants that no search has killed
 */
record MutantsOutput(List<KilledMutant> killedMutants, List<Mutant> survivors) {

    /** @param killedMutant empty if the mutant survives */
    record MutantResult(Mutant mutant, Optional<KilledMutant> killedMutant) {}

    static MutantsOutput of(List<MutantResult> all) {
        return new MutantsOutput(
                all.stream().flatMap(result -> result.killedMutant.stream()).toList(),
                all.stream()
                        .filter(result -> result.killedMutant.isEmpty())
                        .map(MutantResult::mutant)
                        .toList());
    }

    List<KillingRun> killingRuns() {
        return killedMutants.stream().map(KilledMutant::killingRun).toList();
    }

    /** One line a mutant. */
    String table() {
        var table = new TextTable("algorithm", "mutant", "breaks", "steps", "in this world");
        killedMutants.forEach(killed -> table.row(
                killed.mutant().algorithm(),
                killed.mutant().name(),
                killed.mutant().breaks(),
                killed.steps(),
                killed.killingRun().smallScope()));
        return table.text() + "\n" + killedMutants.size() + " of " + (killedMutants.size() + survivors.size())
                + " mutants are killed; habemus mutants ALGORITHM shows the runs\n" + describeSurvivors();
    }

    private String describeSurvivors() {
        var text = new StringBuilder();
        survivors.forEach(survivor -> text.append(survivor)
                .append(" survives in every small world: it should break ")
                .append(survivor.breaks())
                .append('\n'));
        return text.toString();
    }

    String text(AnsiColors colors) {
        var text = new StringBuilder();
        for (KilledMutant killed : killedMutants) {
            var mutant = killed.mutant();
            text.append(colors.bold(mutant + " breaks " + mutant.breaks())).append("\n\n");
            text.append(mutant.rationale()).append("\n\n");
            mutant.changes().forEach(change -> text.append(describe(mutant, change, colors)));
            text.append('\n').append(killed.summary());
            text.append(", time in steps:\n\n")
                    .append(killed.diagram(colors.enabled()))
                    .append('\n');
        }
        return text + describeSurvivors();
    }

    private static String describe(Mutant mutant, SourceChange change, AnsiColors colors) {
        var text = new StringBuilder(mutant.sourceFile(change) + ":" + mutant.lineNumber(change) + "\n");
        change.originalCode()
                .lines()
                .forEach(line -> text.append(colors.red("- " + line)).append('\n'));
        change.mutatedCode()
                .lines()
                .forEach(line -> text.append(colors.green("+ " + line)).append('\n'));
        return text.toString();
    }

    JsonObject json() {
        var all = new JsonArray();
        killedMutants.forEach(killed -> all.add(json(killed)));
        var json = new JsonObject();
        json.add("mutants", all);
        var alive = new JsonArray();
        survivors.forEach(survivor -> alive.add(survivor.toString()));
        json.add("survivors", alive);
        return json;
    }

    private static JsonObject json(Mutant mutant, SourceChange change) {
        var json = new JsonObject();
        json.addProperty("file", mutant.sourceFile(change));
        json.addProperty("line", mutant.lineNumber(change));
        json.addProperty("before", change.originalCode());
        json.addProperty("after", change.mutatedCode());
        return json;
    }

    private static JsonObject json(KilledMutant killed) {
        var mutant = killed.mutant();
        var json = new JsonObject();
        json.addProperty("algorithm", mutant.algorithm());
        json.addProperty("name", mutant.name());
        json.addProperty("temptation", mutant.rationale());
        var changes = new JsonArray();
        mutant.changes().forEach(change -> changes.add(json(mutant, change)));
        json.add("changes", changes);
        json.addProperty("breaks", mutant.breaks());
        json.addProperty("verdict", killed.verdict());
        json.addProperty("world", killed.killingRun().smallScope().toString());
        json.addProperty("steps", killed.steps());
        json.addProperty("shortest", killed.killingRun().isShortest());
        json.addProperty("moves", killed.killingRun().schedule().toString());
        killed.killingRun().loop().ifPresent(loop -> json.addProperty("loop", loop));
        var trace = new JsonArray();
        killed.events().forEach(line -> trace.add(TraceJson.of(line, TimeScale.STEPS)));
        json.add("trace", trace);
        return json;
    }
}
