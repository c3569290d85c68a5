package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/**
 * What a command is run under: a lock, a share of one, several, permits, or a leadership.
 *
 * @param words what it is called
 * @param take where it is asked for, and {@code giveBack}, below a ticket, where it is given back
 * @param wish what the door has to know besides what it knows of every wish
 * @param environment what the command is told
 * @param number a member of the ticket, and {@code variable} by which the command is told of it
 * @param beyond whether only the production service knows it
 * @param who the command that tells who has it
 */
record Stake(
        String words,
        String take,
        String giveBack,
        JsonObject wish,
        Map<String, String> environment,
        String number,
        String variable,
        boolean beyond,
        String who) {

    private static final String MODES = "How it is locked (by the production service):";
    private static final int PERMITS_MAX = Integer.MAX_VALUE;

    static Sheet addTo(Sheet sheet) {
        return sheet.flag(MODES, "--shared", "together with others who share it, but with nobody who does not")
                .values(MODES, "--and", "NAME", "this lock too: all of them, or none; may be given several times")
                .value(MODES, "--of", "N", "NAME is a semaphore with N permits, on which all who use it agree,")
                .value(MODES, "--permits", "K", "of which K are taken (standard: 1)");
    }

    private static Stake lock(String words, String take, JsonObject wish, Map<String, String> environment) {
        return new Stake(
                words, take, "/release", wish, environment, "fence", "HABEMUS_FENCE", !wish.isEmpty(), "locks");
    }

    /** Of {@code habemus lock}. */
    static Stake lock(String name, ParseResult parsed) {
        var others = parsed.<List<String>>matchedOptionValue("--and", List.of());
        boolean shared = parsed.hasMatchedOption("--shared");
        var size = Output.text(parsed, "--of");
        if (size.isEmpty() && parsed.hasMatchedOption("--permits")) {
            throw Refusal.wrong("--permits does not say of how many", "write it as in --permits 2 --of 5");
        }
        if (Stream.of(shared, !others.isEmpty(), size.isPresent())
                        .filter(given -> given)
                        .count()
                > 1) {
            throw Refusal.wrong("--shared, --and and --of contradict each other", "choose one of them");
        }
        return size.isPresent() ? permits(name, parsed) : others.isEmpty() ? one(name, shared) : several(name, others);
    }

    private static Stake one(String name, boolean shared) {
        var wish = new JsonObject();
        if (shared) {
            wish.addProperty("mode", "shared");
        }
        return lock(
                (shared ? "the shared lock " : "the lock ") + name,
                "/locks/" + Door.encode(name) + "/acquire",
                wish,
                Map.of("HABEMUS_LOCK", name));
    }

    private static Stake several(String name, List<String> others) {
        var names = new LinkedHashSet<>(List.of(name));
        others.stream().filter(other -> !names.add(other)).findFirst().ifPresent(other -> {
            throw Refusal.wrong("the lock " + other + " is named twice", "name it once");
        });
        var array = new JsonArray();
        names.forEach(array::add);
        var wish = new JsonObject();
        wish.add("locks", array);
        return lock(
                "the locks " + String.join(" and ", names),
                "/locks/acquire",
                wish,
                Map.of("HABEMUS_LOCKS", String.join("\n", names)));
    }

    private static Stake permits(String name, ParseResult parsed) {
        long size = Numbers.upTo(PERMITS_MAX, parsed, "--of", 1);
        long permits = Numbers.upTo(PERMITS_MAX, parsed, "--permits", 1);
        if (permits > size) {
            throw Refusal.wrong("there are not " + permits + " permits of " + size, "give fewer --permits");
        }
        var wish = new JsonObject();
        wish.addProperty("permits", permits);
        wish.addProperty("size", size);
        return lock(
                permits + " of " + size + " permits of " + name,
                "/semaphores/" + Door.encode(name) + "/acquire",
                wish,
                Map.of("HABEMUS_SEMAPHORE", name, "HABEMUS_PERMITS", Long.toString(permits)));
    }

    /** For after its words. */
    String was() {
        boolean several =
                wish.has("locks") || wish.has("permits") && wish.get("permits").getAsLong() > 1;
        return several ? " were" : " was";
    }

    /** Of {@code habemus elect}. */
    static Stake leadership(String name, Optional<Integer> rank) {
        var wish = new JsonObject();
        rank.ifPresent(number -> wish.addProperty("rank", number));
        return new Stake(
                "the leadership of " + name,
                "/leaders/" + Door.encode(name) + "/stand",
                "/resign",
                wish,
                Map.of("HABEMUS_ELECTION", name),
                "term",
                "HABEMUS_TERM",
                rank.isPresent(),
                "leaders");
    }
}
