package habemus.cli;

import com.google.gson.JsonObject;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** What the commands have in common by which an operator interferes: who it is and why is kept by the service. */
final class Order {

    private static final String SECTION = "What is kept of it:";

    private Order() {}

    static Sheet sheet(Command command, String arguments) {
        return Asked.sheet(command, arguments)
                .words("NAME", true)
                .value(SECTION, "--reason", "TEXT", "why")
                .value(SECTION, "--operator", "NAME", "who does it (standard: the user of this machine)");
    }

    /** The word of this place. */
    static String word(ParseResult parsed, int place, String what, String example) {
        var words = Asked.words(parsed);
        if (words.size() <= place) {
            throw Refusal.wrong("there is no " + what, "write it as in " + example);
        }
        return words.get(place);
    }

    static JsonObject body(ParseResult parsed) {
        Numbers.require(parsed, "--reason", "'its machine is on fire'");
        var body = new JsonObject();
        body.addProperty(
                "operator", Output.text(parsed, "--operator").orElse(System.getProperty("user.name", "operator")));
        body.addProperty("reason", Output.text(parsed, "--reason").orElseThrow());
        return body;
    }

    /** For orders that are meant for whoever has it now, and not for the next one. */
    static Sheet meaning(Sheet sheet) {
        return sheet.value(
                "Whom it is meant for:",
                "--fence",
                "N",
                "who has it by this fence, or term, and not the next one (standard: whoever has it now)");
    }

    /** Looks who is there, so that the order does not meet another if it comes late, or twice. */
    static JsonObject meant(ParseResult parsed, String path) {
        var body = body(parsed);
        body.addProperty(
                "fence",
                parsed.hasMatchedOption("--fence")
                        ? Output.number(parsed, "--fence", 12)
                        : latest(Door.of(parsed).get(path)));
        if (body.get("fence").getAsLong() == 0) {
            throw Refusal.wrong("nobody has it by a fence", "habemus locks and habemus leaders show who has what");
        }
        return body;
    }

    private static long latest(JsonObject thing) {
        long latest = 0;
        for (var member : List.of("fence", "term")) {
            latest = thing.has(member) && !thing.get(member).isJsonNull()
                    ? thing.get(member).getAsLong()
                    : latest;
        }
        for (var member : List.of("holders", "others")) {
            if (thing.has(member)) {
                for (var holder : thing.getAsJsonArray(member)) {
                    latest = Math.max(latest, latest(holder.getAsJsonObject()));
                }
            }
        }
        return latest;
    }

    /** Has it done, and tells what came of it. */
    static int carryOut(ParseResult parsed, String path, JsonObject body, Terminal terminal) {
        return Asked.show(parsed, Door.of(parsed).post(path, body), terminal, Order::words);
    }

    private static String words(JsonObject audit) {
        return Asked.text(audit, "order") + ": " + Asked.text(audit, "effect") + " (entry " + Asked.text(audit, "index")
                + " of the log)\n";
    }

    /** One kind of thing has one path. */
    static String path(ParseResult parsed, List<String> kinds, String name) {
        for (String kind : kinds) {
            if (parsed.hasMatchedOption("--" + kind)) {
                return "/" + (kind.equals("election") ? "leaders" : kind + "s") + "/" + Door.encode(name);
            }
        }
        return "/locks/" + Door.encode(name);
    }
}
