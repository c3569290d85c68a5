package habemus.cli.admin;

import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.Terminal;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus transfer}: transfers the leadership of an election to another candidate. */
public final class TransferCommand implements Subcommand {

    private static final String SECTION = "New leader:";
    private static final String EXAMPLE = "habemus transfer scheduler --to planner-2 --reason 'upgrade of planner-1'";

    @Override
    public String name() {
        return "transfer";
    }

    @Override
    public String summary() {
        return "Transfers the leadership of an election to another candidate, at once and with a higher term.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return AdminRequest.withFenceOption(AdminRequest.syntax(this, "ELECTION --to NAME --reason TEXT [options]"))
                .value(
                        SECTION,
                        "--to",
                        "NAME",
                        "name of a candidate; of several with this name, the first in the queue")
                .examples(EXAMPLE);
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var election = AdminRequest.requireArgument(parsed, 0, "ELECTION", EXAMPLE);
        ParsedOptions.require(parsed, "--to", "planner-2");
        var path = "/leaders/" + ServiceClient.encode(election);
        var body = AdminRequest.bodyWithFence(parsed, path);
        body.addProperty("to", ParsedOptions.text(parsed, "--to").orElseThrow());
        return AdminRequest.send(parsed, path + "/transfer", body, terminal);
    }
}
