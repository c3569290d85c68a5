package habemus.cli.admin;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.Terminal;
import habemus.lab.table.TextTable;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus leaders}: the leader of each election. */
public final class LeadersCommand implements Subcommand {

    @Override
    public String name() {
        return "leaders";
    }

    @Override
    public String summary() {
        return "Lists the elections: leader, term, the nodes that announce it, and the waiting candidates.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return Listing.addOptions(NodeQuery.syntax(this)).examples("habemus leaders", "habemus leaders --prefix shop/");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        return NodeQuery.listAndPrint(parsed, "leaders", terminal, LeadersCommand::table);
    }

    private static String table(JsonObject answer) {
        var leaders = answer.getAsJsonArray("leaders");
        if (leaders.isEmpty()) {
            return "no elections\n" + NodeQuery.unreachableNote(answer);
        }
        var textTable = new TextTable("election", "leader", "term", "announced by", "leading client", "waiting");
        for (JsonElement element : leaders) {
            var election = element.getAsJsonObject();
            textTable.row(
                    NodeQuery.textOrDash(election, "name"),
                    NodeQuery.textOrDash(election, "leader"),
                    NodeQuery.textOrDash(election, "term"),
                    announcedBy(election),
                    NodeQuery.textOrDash(election, "leadingClient"),
                    NodeQuery.formatWaiters(election.getAsJsonArray("waiters")));
        }
        return textTable.text() + NodeQuery.unreachableNote(answer);
    }

    private static String announcedBy(JsonObject election) {
        var names = election.getAsJsonArray("announcedBy").asList().stream()
                .map(JsonElement::getAsString)
                .toList();
        return names.isEmpty() ? "-" : String.join(" ", names);
    }
}
