package habemus.lab.mutation;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import habemus.check.model.CheckReport;
import habemus.check.model.Schedule;
import habemus.smallscope.SmallScope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The killing runs of the last search, stored as JSON so that they can be replayed without a search. */
public final class KillingRuns {

    private static final String FILE = "/mutants/kills.json";

    private KillingRuns() {}

    /** The recorded runs by mutant, without runs whose scope no longer exists. */
    public static Map<Mutant, KillingRun> recorded() {
        var entries = new LinkedHashMap<String, JsonObject>();
        read().forEach(entry ->
                entries.put(entry.getAsJsonObject().get("mutant").getAsString(), entry.getAsJsonObject()));
        var killingRuns = new LinkedHashMap<Mutant, KillingRun>();
        for (Mutant mutant : Mutant.all()) {
            Optional.ofNullable(entries.get(mutant.toString()))
                    .flatMap(entry -> parse(mutant, entry))
                    .ifPresent(killingRun -> killingRuns.put(mutant, killingRun));
        }
        return killingRuns;
    }

    /** All recorded runs, with these in place of the recorded ones of the same mutants. */
    public static Collection<KillingRun> recordedWith(Collection<KillingRun> found) {
        var killingRuns = new LinkedHashMap<Mutant, KillingRun>();
        var recorded = recorded();
        for (Mutant mutant : Mutant.all()) {
            found.stream()
                    .filter(killingRun -> killingRun.mutant().equals(mutant))
                    .findFirst()
                    .or(() -> Optional.ofNullable(recorded.get(mutant)))
                    .ifPresent(killingRun -> killingRuns.put(mutant, killingRun));
        }
        return killingRuns.values();
    }

    private static JsonArray read() {
        try (var file = Objects.requireNonNull(KillingRuns.class.getResourceAsStream(FILE))) {
            return JsonParser.parseString(new String(file.readAllBytes(), UTF_8))
                    .getAsJsonArray();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Optional<KillingRun> parse(Mutant mutant, JsonObject entry) {
        var loop = entry.has("loop") ? OptionalInt.of(entry.get("loop").getAsInt()) : OptionalInt.empty();
        var schedule = Schedule.parse(entry.get("moves").getAsString());
        return candidateScopes(mutant)
                .filter(scope -> scope.toString().equals(entry.get("scope").getAsString()))
                .findFirst()
                .map(scope -> new KillingRun(mutant, scope, schedule, loop));
    }

    /** The scopes in which the algorithm guarantees the property that the mutant breaks. */
    private static Stream<SmallScope> candidateScopes(Mutant mutant) {
        return mutant.scopes().stream()
                .filter(scope -> mutant.breaks().equals(CheckReport.PROTOCOL_BUG)
                        || scope.properties().stream()
                                .anyMatch(property -> property.toString().equals(mutant.breaks())));
    }

    /** The content of the file with these runs. */
    public static String toJson(Collection<KillingRun> killingRuns) {
        var all = new JsonArray();
        killingRuns.forEach(killingRun -> all.add(toJson(killingRun)));
        return new GsonBuilder()
                        .setPrettyPrinting()
                        .disableHtmlEscaping()
                        .create()
                        .toJson((JsonElement) all) + "\n";
    }

    private static JsonObject toJson(KillingRun killingRun) {
        var json = new JsonObject();
        json.addProperty("mutant", killingRun.mutant().toString());
        json.addProperty("scope", killingRun.smallScope().toString());
        json.addProperty("moves", killingRun.schedule().toString());
        killingRun.loop().ifPresent(loop -> json.addProperty("loop", loop));
        return json;
    }
}
