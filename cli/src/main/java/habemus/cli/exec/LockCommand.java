package habemus.cli.exec;

import habemus.cli.options.CommandSyntax;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.Terminal;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus lock}: runs a command while it holds a lock. */
public final class LockCommand implements Subcommand {

    @Override
    public String name() {
        return "lock";
    }

    @Override
    public String summary() {
        return "Runs a command while it holds a lock, and stops the command before the lock can be granted again.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return LockTarget.addOptions(GuardedCommand.syntax(this))
                .examples(
                        "habemus lock orders --timeout 5s -- ./nightly.sh",
                        "habemus lock orders -- sh -c 'echo $HABEMUS_FENCE'",
                        "habemus lock orders --shared -- ./report.sh",
                        "habemus lock from --and to -- ./move.sh",
                        "habemus lock licences --permits 2 --of 5 -- ./render.sh");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        return new GuardedCommand(
                        parsed, name -> LockTarget.lock(name, parsed), "habemus lock orders -- ./job.sh", terminal)
                .run();
    }
}
