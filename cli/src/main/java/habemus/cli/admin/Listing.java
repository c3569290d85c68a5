package habemus.cli.admin;

import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.terminal.Terminal;
import habemus.lab.command.NumberOptions;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine.ParseResult;

/** A listing of a node, which it sends page by page: a table may have millions of entries. */
final class Listing {

    private static final String SECTION = "Selection:";
    private static final int PAGE = 1_000;

    private final ServiceClient serviceClient;
    private final ParseResult parsed;

    private Listing(ServiceClient serviceClient, ParseResult parsed) {
        this.serviceClient = serviceClient;
        this.parsed = parsed;
    }

    static Listing of(ParseResult parsed) {
        return new Listing(ServiceClient.of(parsed), parsed);
    }

    static CommandSyntax addOptions(CommandSyntax syntax) {
        return withLimit(syntax.value(SECTION, "--prefix", "TEXT", "only names that begin with TEXT")
                .value(SECTION, "--holder", "CLIENT", "only what this client holds"));
    }

    static CommandSyntax withLimit(CommandSyntax syntax) {
        return syntax.value(SECTION, "--limit", "N", NumberOptions.count(), "at most N of them (default: all)");
    }

    /**
     * Passes every page on as soon as it is there, at least one.
     *
     * @param path of the listing; it is also the name of its array
     */
    private void forEachPage(String path, Consumer<JsonObject> each) {
        long left = ParsedOptions.<Long>find(parsed, "--limit").orElse(Long.MAX_VALUE);
        var after = "";
        do {
            var page = serviceClient.get("/" + path + query(after, Math.min(PAGE, left)));
            left -= page.getAsJsonArray(path).size();
            after = page.get("next").isJsonNull() ? "" : page.get("next").getAsString();
            each.accept(page);
        } while (!after.isEmpty() && left > 0);
    }

    /** Prints every page as soon as it is there. */
    void print(String path, Terminal terminal, Function<JsonObject, String> formatter) {
        forEachPage(path, page -> {
            terminal.out().print(formatter.apply(page) + NodeQuery.staleNote(page));
            terminal.flush();
        });
    }

    /**
     * All pages as one: the answer of the first one, with the entries of the others. It has a {@code next} only if the
     * limit left some out.
     */
    JsonObject whole(String path) {
        var whole = new JsonObject();
        forEachPage(path, page -> {
            if (whole.isEmpty()) {
                page.entrySet().forEach(member -> whole.add(member.getKey(), member.getValue()));
            } else {
                whole.getAsJsonArray(path).addAll(page.getAsJsonArray(path));
                whole.add("next", page.get("next"));
            }
        });
        if (whole.get("next").isJsonNull()) {
            whole.remove("next");
        }
        return whole;
    }

    /** Whether the service has listings of this kind: a classic node has no semaphores. */
    boolean exists(String path) {
        return serviceClient.find("/" + path + "?limit=1").isPresent();
    }

    private String query(String after, long limit) {
        var query = new StringBuilder("?limit=" + limit);
        if (!after.isEmpty()) {
            query.append("&after=").append(ServiceClient.encode(after));
        }
        for (var option : new String[] {"prefix", "holder"}) {
            if (parsed.hasMatchedOption("--" + option)) {
                var text = ParsedOptions.text(parsed, "--" + option).orElseThrow();
                query.append('&').append(option).append('=').append(ServiceClient.encode(text));
            }
        }
        return query.toString();
    }
}
