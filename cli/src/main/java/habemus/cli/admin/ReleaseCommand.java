package habemus.cli.admin;

import habemus.cli.options.CommandSyntax;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.Terminal;
import habemus.lab.command.CommandException;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus release}: revokes a lock from its holder. */
public final class ReleaseCommand implements Subcommand {

    private static final String SECTION = "Resource:";
    private static final String EXAMPLE = "habemus release orders --force --reason 'host down'";

    @Override
    public String name() {
        return "release";
    }

    @Override
    public String summary() {
        return "Revokes a lock. The old holder may still run: only the fence protects the resource from it.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return AdminRequest.withFenceOption(AdminRequest.syntax(this, "NAME --force --reason TEXT [options]"))
                .flag(SECTION, "--force", "confirms that the holder is not notified before the revocation")
                .flag(SECTION, "--semaphore", "NAME is a semaphore: revokes all permits")
                .flag(SECTION, "--election", "NAME is an election: deposes its leader")
                .examples(EXAMPLE);
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var name = AdminRequest.requireArgument(parsed, 0, "NAME", EXAMPLE);
        if (!parsed.hasMatchedOption("--force")) {
            throw CommandException.usage("the holder is not notified before the revocation", "confirm with --force");
        }
        var path = AdminRequest.resourcePath(parsed, List.of("semaphore", "election"), name);
        return AdminRequest.send(parsed, path + "/release", AdminRequest.bodyWithFence(parsed, path), terminal);
    }
}
