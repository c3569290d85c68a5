package habemus.cli;

import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus elect}: runs a command while leader. */
final class ElectCommand implements Command {

    @Override
    public String name() {
        return "elect";
    }

    @Override
    public String summary() {
        return "Runs a command as soon as the node that is asked leads, and stops it when it no longer does.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        return Tenure.sheet(this).example("habemus elect scheduler -- ./scheduler.sh");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        return new Tenure(parsed, Tenure.Kind.ELECTION, terminal).run();
    }
}
