package habemus.cli.admin;

import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.Terminal;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus release}: takes a lock from whoever has it. */
public final class ReleaseCommand implements Command {

    private static final String SECTION = "What is taken:";
    private static final String EXAMPLE = "habemus release orders --force --reason 'its machine is on fire'";

    @Override
    public String name() {
        return "release";
    }

    @Override
    public String summary() {
        return "Takes a lock from whoever has it. Only its fence protects from what that one still does.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return AdminRequest.withFenceOption(AdminRequest.syntax(this, "NAME --force --reason TEXT [options]"))
                .flag(SECTION, "--force", "its holder is not asked, and not told before: this must be said")
                .flag(SECTION, "--semaphore", "it is a semaphore: all permits are taken")
                .flag(SECTION, "--election", "it is an election: its leader loses it, and the next one leads")
                .examples(EXAMPLE);
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var name = AdminRequest.requireArgument(parsed, 0, "name", EXAMPLE);
        if (!parsed.hasMatchedOption("--force")) {
            throw CommandException.usage(
                    "whoever has it is not told before it is taken", "say that you know it with --force");
        }
        var path = AdminRequest.resourcePath(parsed, List.of("semaphore", "election"), name);
        return AdminRequest.send(parsed, path + "/release", AdminRequest.bodyWithFence(parsed, path), terminal);
    }
}
