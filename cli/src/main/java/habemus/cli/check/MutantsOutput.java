package habemus.cli.check;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.terminal.AnsiColors;
import habemus.lab.mutation.KilledMutant;
import habemus.lab.mutation.KillingRun;
import habemus.lab.mutation.Mutant;
import habemus.lab.table.TextTable;
import habemus.lab.trace.TraceJson;
import java.util.List;
import java.util.Optional;

/**
 * Mutants for people and for programs.
 *
 * @param survivors whom nothing has killed
 */
record MutantsOutput(List<KilledMutant> killedMutants, List<Mutant> survivors) {

    /** @param killedMutant nothing if nothing has killed the mutant */
    record MutantResult(Mutant mutant, Optional<KilledMutant> killedMutant) {}

    static MutantsOutput of(List<MutantResult> all) {
        return new MutantsOutput(
                all.stream().flatMap(one -> one.killedMutant.stream()).toList(),
                all.stream()
                        .filter(one -> one.killedMutant.isEmpty())
                        .map(MutantResult::mutant)
                        .toList());
    }

    List<KillingRun> killingRuns() {
        return killedMutants.stream().map(KilledMutant::killingRun).toList();
    }

    /** A line each. */
    String table() {
        var textTable = new TextTable("algorithm", "mutant", "breaks", "steps", "in this world");
        killedMutants.forEach(one -> textTable.row(
                one.mutant().algorithm(),
                one.mutant().name(),
                one.mutant().breaks(),
                one.killingRun().steps(),
                one.killingRun().guaranteeScope()));
        return textTable.text() + "\n" + killedMutants.size() + " of " + (killedMutants.size() + survivors.size())
                + " mutants die; habemus museum ALGORITHM shows how\n" + describeSurvivors();
    }

    private String describeSurvivors() {
        var text = new StringBuilder();
        survivors.forEach(one -> text.append(one)
                .append(" survives in every small world: it should break ")
                .append(one.breaks())
                .append('\n'));
        return text.toString();
    }

    String text(AnsiColors ansiColors) {
        var text = new StringBuilder();
        for (KilledMutant one : killedMutants) {
            var mutant = one.mutant();
            text.append(ansiColors.bold(mutant + " breaks " + mutant.breaks())).append("\n\n");
            text.append(mutant.rationale()).append("\n\n");
            text.append(mutant.sourceFile())
                    .append(':')
                    .append(mutant.lineNumber())
                    .append('\n');
            text.append(ansiColors.red("- " + mutant.originalLine())).append('\n');
            text.append(ansiColors.green("+ " + mutant.mutatedLine())).append("\n\n");
            text.append(one.summary()).append(", time in steps:\n\n");
            text.append(one.diagram(ansiColors.enabled())).append('\n');
        }
        return text + describeSurvivors();
    }

    JsonObject json() {
        var all = new JsonArray();
        killedMutants.forEach(one -> all.add(json(one)));
        var json = new JsonObject();
        json.add("mutants", all);
        var alive = new JsonArray();
        survivors.forEach(one -> alive.add(one.toString()));
        json.add("survivors", alive);
        return json;
    }

    private static JsonObject json(KilledMutant one) {
        var mutant = one.mutant();
        var json = new JsonObject();
        json.addProperty("algorithm", mutant.algorithm());
        json.addProperty("name", mutant.name());
        json.addProperty("temptation", mutant.rationale());
        json.addProperty("file", mutant.sourceFile());
        json.addProperty("line", mutant.lineNumber());
        json.addProperty("before", mutant.originalLine());
        json.addProperty("after", mutant.mutatedLine());
        json.addProperty("breaks", mutant.breaks());
        json.addProperty("verdict", one.verdict());
        json.addProperty("world", one.killingRun().guaranteeScope().toString());
        json.addProperty("steps", one.killingRun().steps());
        json.addProperty("shortest", one.killingRun().isShortest());
        json.addProperty("moves", one.killingRun().schedule().toString());
        one.killingRun().loop().ifPresent(loop -> json.addProperty("loop", loop));
        var trace = new JsonArray();
        one.events().forEach(line -> trace.add(TraceJson.of(line)));
        json.add("trace", trace);
        return json;
    }
}
