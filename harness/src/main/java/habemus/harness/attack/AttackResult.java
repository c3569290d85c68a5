package habemus.harness.attack;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * What an attack did, and what it broke.
 *
 * @param name of the attack
 * @param done what was sent or opened, as text
 * @param seconds how long it took
 * @param honest how the honest client was served during the attack; empty if there was none
 * @param failures one line each, with the command that repeats the attack; empty if the service has repelled it
 */
public record AttackResult(String name, String done, double seconds, Optional<Service> honest, List<String> failures) {

    /**
     * How the honest client was served.
     *
     * @param cycles acquires and releases
     * @param p99Millis of a cycle during the attack
     * @param baselineP99Millis of a cycle before the attack
     */
    public record Service(long cycles, double p99Millis, double baselineP99Millis) {}

    public AttackResult {
        failures = List.copyOf(failures);
    }

    public boolean isRepelled() {
        return failures.isEmpty();
    }

    JsonObject json() {
        var json = new JsonObject();
        json.addProperty("attack", name);
        json.addProperty("done", done);
        json.addProperty("seconds", seconds);
        honest.ifPresent(service -> {
            json.addProperty("honestCycles", service.cycles());
            json.addProperty("honestP99Millis", service.p99Millis());
            json.addProperty("baselineP99Millis", service.baselineP99Millis());
        });
        var lines = new JsonArray();
        failures.forEach(lines::add);
        json.add("failures", lines);
        json.addProperty("repelled", isRepelled());
        return json;
    }
}
