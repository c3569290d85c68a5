package habemus.cli.exec;

import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.Terminal;
import habemus.lab.command.CommandException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** {@code habemus elect}: runs a command while this process leads an election. */
public final class ElectCommand implements Subcommand {

    @Override
    public String name() {
        return "elect";
    }

    @Override
    public String summary() {
        return "Runs a command while it leads an election, and stops the command when the leadership is lost.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return GuardedCommand.syntax(this)
                .value(
                        "Options:",
                        "--rank",
                        "N",
                        "the waiting candidate with the highest rank leads next (default: 0; production service only)")
                .examples("habemus elect scheduler -- ./scheduler.sh", "habemus elect scheduler --rank 5 -- ./job.sh");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        return new GuardedCommand(
                        parsed,
                        name -> LockTarget.leadership(name, rank(parsed)),
                        "habemus elect scheduler -- ./job.sh",
                        terminal)
                .run();
    }

    private static Optional<Integer> rank(ParseResult parsed) {
        return ParsedOptions.text(parsed, "--rank").map(text -> {
            if (!text.matches("-?\\d{1,9}")) {
                throw CommandException.usage("--rank must be a whole number, was '" + text + "'", "write --rank 5");
            }
            return Integer.parseInt(text);
        });
    }
}
