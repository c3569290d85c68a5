package habemus.cli.admin;

import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.NumberOptions;
import habemus.cli.options.OutputOptions;
import habemus.cli.terminal.Terminal;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus transfer}: has another candidate lead. */
public final class TransferCommand implements Command {

    private static final String SECTION = "Who leads then:";
    private static final String EXAMPLE = "habemus transfer scheduler --to planner-2 --reason 'upgrade of planner-1'";

    @Override
    public String name() {
        return "transfer";
    }

    @Override
    public String summary() {
        return "Has another candidate lead in an election, at once and with a higher term.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return AdminRequest.withFenceOption(AdminRequest.syntax(this, "ELECTION --to NAME --reason TEXT [options]"))
                .value(SECTION, "--to", "NAME", "a candidate; of several that are called so the first in line")
                .examples(EXAMPLE);
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var election = AdminRequest.requireArgument(parsed, 0, "election", EXAMPLE);
        NumberOptions.require(parsed, "--to", "planner-2");
        var path = "/leaders/" + ServiceClient.encode(election);
        var body = AdminRequest.bodyWithFence(parsed, path);
        body.addProperty("to", OutputOptions.text(parsed, "--to").orElseThrow());
        return AdminRequest.send(parsed, path + "/transfer", body, terminal);
    }
}
