package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import habemus.lab.table.Table;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus locks}: who holds what, and who waits; semaphores too. */
final class LocksCommand implements Command {

    @Override
    public String name() {
        return "locks";
    }

    @Override
    public String summary() {
        return "Asks a running node who holds which lock in its cluster, since when, and who waits.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        return Asked.sheet(this, "[NAME] [options]")
                .words("NAME", false)
                .example("habemus locks", "habemus locks orders", "habemus locks --at 127.0.0.1:7802 --json");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        return Asked.word(parsed)
                .map(name -> Asked.answer(parsed, "/locks/" + Door.encode(name), terminal, LocksCommand::story))
                .orElseGet(() -> Asked.show(parsed, all(Door.of(parsed)), terminal, LocksCommand::tables));
    }

    /** Only the production service has semaphores. */
    private static JsonObject all(Door door) {
        var answer = door.get("/locks");
        door.find("/semaphores").ifPresent(found -> answer.add("semaphores", found.get("semaphores")));
        return answer;
    }

    private static String tables(JsonObject answer) {
        var semaphores = answer.has("semaphores") ? answer.getAsJsonArray("semaphores") : new JsonArray();
        return locks(answer) + (semaphores.isEmpty() ? "" : "\n" + semaphores(semaphores)) + Asked.silent(answer);
    }

    private static String semaphores(JsonArray semaphores) {
        var table = new Table("semaphore", "of", "holder", "at", "permits", "fence", "since", "waiting");
        for (JsonElement each : semaphores) {
            var semaphore = each.getAsJsonObject();
            var name = Asked.text(semaphore, "name");
            var waiting = Asked.waiters(semaphore.getAsJsonArray("waiters"));
            for (JsonElement one : semaphore.getAsJsonArray("holders")) {
                var holder = one.getAsJsonObject();
                table.row(
                        name,
                        Asked.text(semaphore, "size"),
                        Asked.text(holder, "holder"),
                        Asked.text(holder, "node"),
                        Asked.text(holder, "permits"),
                        Asked.text(holder, "fence"),
                        Asked.text(holder, "since"),
                        waiting);
            }
        }
        return table.text();
    }

    private static String locks(JsonObject answer) {
        var locks = answer.getAsJsonArray("locks");
        if (locks.isEmpty()) {
            return "nobody has asked for a lock yet\n";
        }
        var table = new Table("lock", "holder", "at", "fence", "since", "waiting");
        for (JsonElement each : locks) {
            var lock = each.getAsJsonObject();
            row(table, Asked.text(lock, "name"), lock, Asked.waiters(lock.getAsJsonArray("waiters")));
            also(table, lock.getAsJsonArray("others"));
        }
        return table.text();
    }

    /** One lock, and who had it before, if that is known. */
    private static String story(JsonObject lock) {
        var table = new Table("lock", "holder", "at", "fence", "since", "waiting");
        row(table, Asked.text(lock, "name"), lock, Asked.waiters(lock.getAsJsonArray("waiters")));
        also(table, lock.getAsJsonArray("others"));
        if (!lock.has("history") || lock.getAsJsonArray("history").isEmpty()) {
            return table.text();
        }
        var past = new Table("before", "at", "fence", "since", "until", "how");
        for (JsonElement each : lock.getAsJsonArray("history")) {
            var one = each.getAsJsonObject();
            past.row(
                    Asked.text(one, "holder"),
                    Asked.text(one, "node"),
                    Asked.text(one, "fence"),
                    Asked.text(one, "since"),
                    Asked.text(one, "until"),
                    Asked.text(one, "how"));
        }
        return table.text() + "\n" + past.text();
    }

    private static void row(Table table, String name, JsonObject holder, String waiting) {
        table.row(
                name,
                Asked.text(holder, "holder"),
                Asked.text(holder, "node"),
                Asked.text(holder, "fence"),
                Asked.text(holder, "since"),
                waiting);
    }

    /** Those who share it; else a broken promise, which is not to be overlooked. */
    private static void also(Table table, JsonArray others) {
        others.forEach(other -> row(table, "and also", other.getAsJsonObject(), "-"));
    }
}
