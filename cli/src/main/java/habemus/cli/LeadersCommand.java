package habemus.cli;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import habemus.lab.table.Table;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus leaders}: who leads. */
final class LeadersCommand implements Command {

    @Override
    public String name() {
        return "leaders";
    }

    @Override
    public String summary() {
        return "Asks a running node who leads in each election, in which term, and who names it.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        return Asked.sheet(this).example("habemus leaders");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        return Asked.answer(parsed, "/leaders", terminal, LeadersCommand::table);
    }

    private static String table(JsonObject answer) {
        var leaders = answer.getAsJsonArray("leaders");
        if (leaders.isEmpty()) {
            return "there was no election yet\n" + Asked.silent(answer);
        }
        var table = new Table("election", "leader", "term", "named by", "acting", "waiting");
        for (JsonElement each : leaders) {
            var election = each.getAsJsonObject();
            table.row(
                    Asked.text(election, "name"),
                    Asked.text(election, "leader"),
                    Asked.text(election, "term"),
                    named(election),
                    Asked.text(election, "acting"),
                    Asked.waiters(election.getAsJsonArray("waiters")));
        }
        return table.text() + Asked.silent(answer);
    }

    private static String named(JsonObject election) {
        var names = election.getAsJsonArray("named").asList().stream()
                .map(JsonElement::getAsString)
                .toList();
        return names.isEmpty() ? "-" : String.join(" ", names);
    }
}
