package habemus.cli;

import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus transfer}: has another candidate lead. */
final class TransferCommand implements Command {

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
    public Sheet sheet(List<String> args) {
        return Order.meaning(Order.sheet(this, "ELECTION --to NAME --reason TEXT [options]"))
                .value(SECTION, "--to", "NAME", "a candidate; of several that are called so the first in line")
                .example(EXAMPLE);
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var election = Order.word(parsed, 0, "election", EXAMPLE);
        Numbers.require(parsed, "--to", "planner-2");
        var path = "/leaders/" + Door.encode(election);
        var body = Order.meant(parsed, path);
        body.addProperty("to", Output.text(parsed, "--to").orElseThrow());
        return Order.carryOut(parsed, path + "/transfer", body, terminal);
    }
}
