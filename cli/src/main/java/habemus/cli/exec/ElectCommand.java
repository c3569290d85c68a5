package habemus.cli.exec;

import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.OutputOptions;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ShellSyntax;
import habemus.cli.terminal.Terminal;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** {@code habemus elect}: runs a command while leader. */
public final class ElectCommand implements Command {

    @Override
    public String name() {
        return "elect";
    }

    @Override
    public String summary() {
        return "Runs a command as soon as the node that is asked leads, and stops it when it no longer does.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return GuardedCommand.syntax(this)
                .value(
                        "Options:",
                        "--rank",
                        "N",
                        "of those who wait, who has the highest leads next (standard: 0; production service)")
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
        return OutputOptions.text(parsed, "--rank").map(text -> {
            if (!text.matches("-?\\d{1,9}")) {
                throw CommandException.usage(
                        "--rank " + ShellSyntax.quote(text) + " is no number", "write it as in --rank 5");
            }
            return Integer.parseInt(text);
        });
    }
}
