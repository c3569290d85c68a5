package habemus.cli.exec;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.admin.ServiceClient;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.lab.command.CommandException;
import habemus.lab.command.NumberOptions;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/**
 * What the command acquires: a lock, a shared lock, several locks, permits, or a leadership.
 *
 * @param label for messages
 * @param acquirePath HTTP path of the request
 * @param releasePath HTTP path of the release, below the ticket
 * @param body members of the request that depend on the kind of target
 * @param environment variables of the child process
 * @param fenceField the member of the ticket with the fence or term
 * @param fenceVariable the environment variable for the fence or term
 * @param productionOnly whether only the production service supports it
 * @param listCommand the command that lists the holders
 */
record LockTarget(
        String label,
        String acquirePath,
        String releasePath,
        JsonObject body,
        Map<String, String> environment,
        String fenceField,
        String fenceVariable,
        boolean productionOnly,
        String listCommand) {

    private static final String MODE_SECTION = "Lock mode (production service only):";
    private static final int MAX_PERMITS = Integer.MAX_VALUE;

    static CommandSyntax addOptions(CommandSyntax syntax) {
        return syntax.flag(MODE_SECTION, "--shared", "shares the lock with other --shared holders")
                .values(
                        MODE_SECTION,
                        "--and",
                        "NAME",
                        "acquires this lock too, all or none; may be given several times")
                .value(
                        MODE_SECTION,
                        "--of",
                        "N",
                        NumberOptions.count(MAX_PERMITS),
                        "NAME is a semaphore with N permits in total")
                .value(
                        MODE_SECTION,
                        "--permits",
                        "K",
                        NumberOptions.count(MAX_PERMITS),
                        "acquires K permits (default: 1)");
    }

    private static LockTarget lock(String label, String acquirePath, JsonObject body, Map<String, String> environment) {
        return new LockTarget(
                label, acquirePath, "/release", body, environment, "fence", "HABEMUS_FENCE", !body.isEmpty(), "locks");
    }

    /** The target of {@code habemus lock}. */
    static LockTarget lock(String name, ParseResult parsed) {
        var others = parsed.<List<String>>matchedOptionValue("--and", List.of());
        boolean shared = parsed.hasMatchedOption("--shared");
        var size = ParsedOptions.<Long>find(parsed, "--of");
        if (size.isEmpty() && parsed.hasMatchedOption("--permits")) {
            throw CommandException.usage("--permits needs --of", "write --permits 2 --of 5");
        }
        if (Stream.of(shared, !others.isEmpty(), size.isPresent())
                        .filter(given -> given)
                        .count()
                > 1) {
            throw CommandException.usage("--shared, --and and --of exclude each other", "give one of them");
        }
        return size.isPresent()
                ? permits(
                        name,
                        size.get(),
                        ParsedOptions.<Long>find(parsed, "--permits").orElse(1L))
                : others.isEmpty() ? singleLock(name, shared) : multiLock(name, others);
    }

    private static LockTarget singleLock(String name, boolean shared) {
        var body = new JsonObject();
        if (shared) {
            body.addProperty("mode", "shared");
        }
        return lock(
                (shared ? "the shared lock " : "the lock ") + name,
                "/locks/" + ServiceClient.encode(name) + "/acquire",
                body,
                Map.of("HABEMUS_LOCK", name));
    }

    private static LockTarget multiLock(String name, List<String> others) {
        var names = new LinkedHashSet<>(List.of(name));
        others.stream().filter(other -> !names.add(other)).findFirst().ifPresent(other -> {
            throw CommandException.usage("lock named twice: " + other, "name it once");
        });
        var array = new JsonArray();
        names.forEach(array::add);
        var body = new JsonObject();
        body.add("locks", array);
        return lock(
                "the locks " + String.join(" and ", names),
                "/locks/acquire",
                body,
                Map.of("HABEMUS_LOCKS", String.join("\n", names)));
    }

    private static LockTarget permits(String name, long size, long permits) {
        if (permits > size) {
            throw CommandException.usage(
                    "--permits must be at most --of (" + size + "), was " + permits, "use fewer permits");
        }
        var body = new JsonObject();
        body.addProperty("permits", permits);
        body.addProperty("size", size);
        return lock(
                permits + " of " + size + " permits of " + name,
                "/semaphores/" + ServiceClient.encode(name) + "/acquire",
                body,
                Map.of("HABEMUS_SEMAPHORE", name, "HABEMUS_PERMITS", Long.toString(permits)));
    }

    /** The HTTP path of the status of a single lock; empty for other targets. */
    Optional<String> statusPath() {
        return acquirePath.startsWith("/locks/") && !body.has("locks")
                ? Optional.of(acquirePath.substring(0, acquirePath.lastIndexOf('/')))
                : Optional.empty();
    }

    /** The verb after the label. */
    String wasOrWere() {
        boolean several =
                body.has("locks") || body.has("permits") && body.get("permits").getAsLong() > 1;
        return several ? " were" : " was";
    }

    /** The target of {@code habemus elect}. */
    static LockTarget leadership(String name, Optional<Integer> rank) {
        var body = new JsonObject();
        rank.ifPresent(number -> body.addProperty("rank", number));
        return new LockTarget(
                "the leadership of " + name,
                "/leaders/" + ServiceClient.encode(name) + "/campaign",
                "/resign",
                body,
                Map.of("HABEMUS_ELECTION", name),
                "term",
                "HABEMUS_TERM",
                rank.isPresent(),
                "leaders");
    }
}
