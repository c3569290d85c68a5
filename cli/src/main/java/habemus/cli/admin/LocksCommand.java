package habemus.cli.admin;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.Terminal;
import habemus.lab.command.ExitCode;
import habemus.lab.table.TextTable;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus locks}: the holders and waiters of locks and semaphores. */
public final class LocksCommand implements Subcommand {

    @Override
    public String name() {
        return "locks";
    }

    @Override
    public String summary() {
        return "Lists the locks and semaphores of a cluster: holder, fence, since when, and the waiters.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return Listing.addOptions(NodeQuery.syntax(this, "[NAME] [options]"))
                .positionals("NAME", false)
                .examples(
                        "habemus locks",
                        "habemus locks orders",
                        "habemus locks --prefix shop/ --holder billing-2 --limit 100",
                        "habemus locks --at 127.0.0.1:7802 --json");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var name = ParsedOptions.firstArgument(parsed);
        if (name.isPresent()) {
            return NodeQuery.getAndPrint(
                    parsed, "/locks/" + ServiceClient.encode(name.get()), terminal, LocksCommand::history);
        }
        var listing = Listing.of(parsed);
        if (parsed.hasMatchedOption("--json")) {
            terminal.out().println(locksAndSemaphores(listing));
        } else {
            printTables(listing, terminal);
        }
        return ExitCode.OK;
    }

    private static JsonObject locksAndSemaphores(Listing listing) {
        var answer = listing.whole("locks");
        if (listing.exists("semaphores")) {
            answer.add("semaphores", listing.whole("semaphores").get("semaphores"));
        }
        return answer;
    }

    private static void printTables(Listing listing, Terminal terminal) {
        listing.print("locks", terminal, page -> locks(page) + NodeQuery.unreachableNote(page));
        if (listing.exists("semaphores")) {
            listing.print("semaphores", terminal, page -> {
                var semaphores = page.getAsJsonArray("semaphores");
                return semaphores.isEmpty() ? "" : "\n" + semaphores(semaphores);
            });
        }
    }

    private static String semaphores(JsonArray semaphores) {
        var table = new TextTable("semaphore", "of", "holder", "at", "permits", "fence", "since", "waiting");
        for (JsonElement json : semaphores) {
            var semaphore = json.getAsJsonObject();
            var name = NodeQuery.textOrDash(semaphore, "name");
            var waiting = NodeQuery.formatWaiters(semaphore.getAsJsonArray("waiters"));
            for (JsonElement element : semaphore.getAsJsonArray("holders")) {
                var holder = element.getAsJsonObject();
                table.row(
                        name,
                        NodeQuery.textOrDash(semaphore, "size"),
                        NodeQuery.textOrDash(holder, "holder"),
                        NodeQuery.textOrDash(holder, "node"),
                        NodeQuery.textOrDash(holder, "permits"),
                        NodeQuery.textOrDash(holder, "fence"),
                        NodeQuery.textOrDash(holder, "since"),
                        waiting);
            }
        }
        return table.text();
    }

    private static String locks(JsonObject answer) {
        var locks = answer.getAsJsonArray("locks");
        if (locks.isEmpty()) {
            return "no locks\n";
        }
        var table = new TextTable("lock", "holder", "at", "fence", "since", "waiting");
        for (JsonElement json : locks) {
            var lock = json.getAsJsonObject();
            row(
                    table,
                    NodeQuery.textOrDash(lock, "name"),
                    lock,
                    NodeQuery.formatWaiters(lock.getAsJsonArray("waiters")));
            addOtherHolders(table, lock.getAsJsonArray("otherHolders"));
        }
        return table.text();
    }

    /** One lock, with its past holders if the service keeps them. */
    private static String history(JsonObject lock) {
        var table = new TextTable("lock", "holder", "at", "fence", "since", "waiting");
        row(table, NodeQuery.textOrDash(lock, "name"), lock, NodeQuery.formatWaiters(lock.getAsJsonArray("waiters")));
        addOtherHolders(table, lock.getAsJsonArray("otherHolders"));
        if (!lock.has("history") || lock.getAsJsonArray("history").isEmpty()) {
            return table.text();
        }
        var past = new TextTable("past holder", "at", "fence", "since", "until", "end reason");
        for (JsonElement json : lock.getAsJsonArray("history")) {
            var hold = json.getAsJsonObject();
            past.row(
                    NodeQuery.textOrDash(hold, "holder"),
                    NodeQuery.textOrDash(hold, "node"),
                    NodeQuery.textOrDash(hold, "fence"),
                    NodeQuery.textOrDash(hold, "since"),
                    NodeQuery.textOrDash(hold, "until"),
                    NodeQuery.textOrDash(hold, "endReason"));
        }
        return table.text() + "\n" + past.text();
    }

    private static void row(TextTable table, String name, JsonObject holder, String waiting) {
        table.row(
                name,
                NodeQuery.textOrDash(holder, "holder"),
                NodeQuery.textOrDash(holder, "node"),
                NodeQuery.textOrDash(holder, "fence"),
                NodeQuery.textOrDash(holder, "since"),
                waiting);
    }

    /** More holders of the same lock: either they share it, or mutual exclusion is violated. */
    private static void addOtherHolders(TextTable table, JsonArray holders) {
        holders.forEach(holder -> row(table, "and also", holder.getAsJsonObject(), "-"));
    }
}
