package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.lab.museum.Exhibit;
import habemus.lab.museum.Kill;
import habemus.lab.museum.Mutant;
import habemus.lab.table.Table;
import habemus.lab.trace.TraceJson;
import java.util.List;
import java.util.Optional;

/**
 * Mutants for people and for programs.
 *
 * @param survivors whom nothing has killed
 */
record Exhibited(List<Exhibit> exhibits, List<Mutant> survivors) {

    /** @param exhibit nothing if nothing has killed the mutant */
    record Shown(Mutant mutant, Optional<Exhibit> exhibit) {}

    static Exhibited of(List<Shown> all) {
        return new Exhibited(
                all.stream().flatMap(one -> one.exhibit.stream()).toList(),
                all.stream()
                        .filter(one -> one.exhibit.isEmpty())
                        .map(Shown::mutant)
                        .toList());
    }

    List<Kill> kills() {
        return exhibits.stream().map(Exhibit::kill).toList();
    }

    /** A line each. */
    String table() {
        var table = new Table("algorithm", "mutant", "breaks", "steps", "in this world");
        exhibits.forEach(one -> table.row(
                one.mutant().algorithm(),
                one.mutant().name(),
                one.mutant().breaks(),
                one.kill().steps(),
                one.kill().world()));
        return table.text() + "\n" + exhibits.size() + " of " + (exhibits.size() + survivors.size())
                + " mutants die; habemus museum ALGORITHM shows how\n" + surviving();
    }

    private String surviving() {
        var text = new StringBuilder();
        survivors.forEach(one -> text.append(one)
                .append(" survives in every small world: it should break ")
                .append(one.breaks())
                .append('\n'));
        return text.toString();
    }

    String text(Paint paint) {
        var text = new StringBuilder();
        for (Exhibit one : exhibits) {
            var mutant = one.mutant();
            text.append(paint.bold(mutant + " breaks " + mutant.breaks())).append("\n\n");
            text.append(mutant.temptation()).append("\n\n");
            text.append(mutant.file()).append(':').append(mutant.number()).append('\n');
            text.append(paint.red("- " + mutant.line())).append('\n');
            text.append(paint.green("+ " + mutant.instead())).append("\n\n");
            text.append(one.summary()).append(", time in steps:\n\n");
            text.append(one.diagram(paint.on())).append('\n');
        }
        return text + surviving();
    }

    JsonObject json() {
        var all = new JsonArray();
        exhibits.forEach(one -> all.add(json(one)));
        var json = new JsonObject();
        json.add("mutants", all);
        var alive = new JsonArray();
        survivors.forEach(one -> alive.add(one.toString()));
        json.add("survivors", alive);
        return json;
    }

    private static JsonObject json(Exhibit one) {
        var mutant = one.mutant();
        var json = new JsonObject();
        json.addProperty("algorithm", mutant.algorithm());
        json.addProperty("name", mutant.name());
        json.addProperty("temptation", mutant.temptation());
        json.addProperty("file", mutant.file());
        json.addProperty("line", mutant.number());
        json.addProperty("before", mutant.line());
        json.addProperty("after", mutant.instead());
        json.addProperty("breaks", mutant.breaks());
        json.addProperty("verdict", one.verdict());
        json.addProperty("world", one.kill().world().toString());
        json.addProperty("steps", one.kill().steps());
        json.addProperty("shortest", one.kill().isShortest());
        json.addProperty("moves", one.kill().schedule().toString());
        one.kill().loop().ifPresent(loop -> json.addProperty("loop", loop));
        var trace = new JsonArray();
        one.lines().forEach(line -> trace.add(TraceJson.of(line)));
        json.add("trace", trace);
        return json;
    }
}
