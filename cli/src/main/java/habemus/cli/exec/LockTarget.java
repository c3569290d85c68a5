package habemus.cli.exec;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.admin.ServiceClient;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.NumberOptions;
import habemus.cli.options.OutputOptions;
import habemus.cli.terminal.CommandException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/**
 * What a command is run under: a lock, a share of one, several, permits, or a leadership.
 *
 * @param label what it is called
 * @param acquirePath where it is asked for, and {@code giveBack}, below a ticket, where it is given back
 * @param body what the door has to know besides what it knows of every wish
 * @param environment what the command is told
 * @param fenceField a member of the ticket, and {@code variable} by which the command is told of it
 * @param productionOnly whether only the production service knows it
 * @param listCommand the command that tells who has it
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

    private static final String MODE_SECTION = "How it is locked (by the production service):";
    private static final int MAX_PERMITS = Integer.MAX_VALUE;

    static CommandSyntax addOptions(CommandSyntax commandSyntax) {
        return commandSyntax
                .flag(MODE_SECTION, "--shared", "together with others who share it, but with nobody who does not")
                .values(
                        MODE_SECTION,
                        "--and",
                        "NAME",
                        "this lock too: all of them, or none; may be given several times")
                .value(MODE_SECTION, "--of", "N", "NAME is a semaphore with N permits, on which all who use it agree,")
                .value(MODE_SECTION, "--permits", "K", "of which K are taken (standard: 1)");
    }

    private static LockTarget lock(String label, String acquirePath, JsonObject body, Map<String, String> environment) {
        return new LockTarget(
                label, acquirePath, "/release", body, environment, "fence", "HABEMUS_FENCE", !body.isEmpty(), "locks");
    }

    /** Of {@code habemus lock}. */
    static LockTarget lock(String name, ParseResult parsed) {
        var others = parsed.<List<String>>matchedOptionValue("--and", List.of());
        boolean shared = parsed.hasMatchedOption("--shared");
        var size = OutputOptions.text(parsed, "--of");
        if (size.isEmpty() && parsed.hasMatchedOption("--permits")) {
            throw CommandException.usage("--permits does not say of how many", "write it as in --permits 2 --of 5");
        }
        if (Stream.of(shared, !others.isEmpty(), size.isPresent())
                        .filter(given -> given)
                        .count()
                > 1) {
            throw CommandException.usage("--shared, --and and --of contradict each other", "choose one of them");
        }
        return size.isPresent()
                ? permits(name, parsed)
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
            throw CommandException.usage("the lock " + other + " is named twice", "name it once");
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

    private static LockTarget permits(String name, ParseResult parsed) {
        long size = NumberOptions.upTo(MAX_PERMITS, parsed, "--of", 1);
        long permits = NumberOptions.upTo(MAX_PERMITS, parsed, "--permits", 1);
        if (permits > size) {
            throw CommandException.usage("there are not " + permits + " permits of " + size, "give fewer --permits");
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

    /** For after its words. */
    String wasOrWere() {
        boolean several =
                body.has("locks") || body.has("permits") && body.get("permits").getAsLong() > 1;
        return several ? " were" : " was";
    }

    /** Of {@code habemus elect}. */
    static LockTarget leadership(String name, Optional<Integer> rank) {
        var body = new JsonObject();
        rank.ifPresent(number -> body.addProperty("rank", number));
        return new LockTarget(
                "the leadership of " + name,
                "/leaders/" + ServiceClient.encode(name) + "/stand",
                "/resign",
                body,
                Map.of("HABEMUS_ELECTION", name),
                "term",
                "HABEMUS_TERM",
                rank.isPresent(),
                "leaders");
    }
}
