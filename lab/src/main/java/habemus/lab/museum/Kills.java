package habemus.lab.museum;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import habemus.catalogue.Catalogue;
import habemus.check.Report;
import habemus.check.Schedule;
import habemus.small.PromisedWorld;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** What the mutants died of when they were last searched: a file of JSON, so that nobody has to search again. */
public final class Kills {

    private static final String FILE = "/mutants/kills.json";

    private Kills() {}

    /** By the names of the mutants; without those whose world is no longer there. */
    public static Map<Mutant, Kill> recorded() {
        var entries = new LinkedHashMap<String, JsonObject>();
        read().forEach(entry ->
                entries.put(entry.getAsJsonObject().get("mutant").getAsString(), entry.getAsJsonObject()));
        var kills = new LinkedHashMap<Mutant, Kill>();
        for (Mutant mutant : Mutant.all()) {
            Optional.ofNullable(entries.get(mutant.toString()))
                    .flatMap(entry -> kill(mutant, entry))
                    .ifPresent(kill -> kills.put(mutant, kill));
        }
        return kills;
    }

    private static JsonArray read() {
        try (var file = Objects.requireNonNull(Kills.class.getResourceAsStream(FILE))) {
            return JsonParser.parseString(new String(file.readAllBytes(), UTF_8))
                    .getAsJsonArray();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Optional<Kill> kill(Mutant mutant, JsonObject entry) {
        var loop = entry.has("loop") ? OptionalInt.of(entry.get("loop").getAsInt()) : OptionalInt.empty();
        var schedule = Schedule.parse(entry.get("moves").getAsString());
        return worlds(mutant)
                .filter(world -> world.toString().equals(entry.get("world").getAsString()))
                .findFirst()
                .map(world -> new Kill(mutant, world, schedule, loop));
    }

    /** Those in which somebody promises what the mutant breaks. */
    private static Stream<PromisedWorld> worlds(Mutant mutant) {
        return PromisedWorld.all(Catalogue.find(mutant.algorithm()).orElseThrow()).stream()
                .filter(world -> mutant.breaks().equals(Report.PROTOCOL_BUG)
                        || world.promise().properties().stream()
                                .anyMatch(property -> property.toString().equals(mutant.breaks())));
    }

    /** As they are recorded. */
    public static String json(Collection<Kill> kills) {
        var all = new JsonArray();
        kills.forEach(kill -> all.add(json(kill)));
        return new GsonBuilder()
                        .setPrettyPrinting()
                        .disableHtmlEscaping()
                        .create()
                        .toJson((JsonElement) all) + "\n";
    }

    private static JsonObject json(Kill kill) {
        var json = new JsonObject();
        json.addProperty("mutant", kill.mutant().toString());
        json.addProperty("world", kill.world().toString());
        json.addProperty("moves", kill.schedule().toString());
        kill.loop().ifPresent(loop -> json.addProperty("loop", loop));
        return json;
    }
}
