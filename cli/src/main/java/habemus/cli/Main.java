package habemus.cli;

import com.google.gson.JsonObject;
import habemus.cli.admin.AuditCommand;
import habemus.cli.admin.BackupCommand;
import habemus.cli.admin.DeadlocksCommand;
import habemus.cli.admin.LeadersCommand;
import habemus.cli.admin.LocksCommand;
import habemus.cli.admin.MembersCommand;
import habemus.cli.admin.ReleaseCommand;
import habemus.cli.admin.RestoreCommand;
import habemus.cli.admin.SessionsCommand;
import habemus.cli.admin.StatusCommand;
import habemus.cli.admin.TransferCommand;
import habemus.cli.admin.WatchCommand;
import habemus.cli.analyze.CompareCommand;
import habemus.cli.analyze.ListCommand;
import habemus.cli.analyze.QuorumCommand;
import habemus.cli.analyze.TimeoutCommand;
import habemus.cli.bench.BenchCommand;
import habemus.cli.bench.CountCommand;
import habemus.cli.check.CheckCommand;
import habemus.cli.check.MatrixCommand;
import habemus.cli.check.MutantsCommand;
import habemus.cli.exec.ElectCommand;
import habemus.cli.exec.LockCommand;
import habemus.cli.experiment.RunOptions;
import habemus.cli.options.Command;
import habemus.cli.serve.ServeCommand;
import habemus.cli.serve.UpCommand;
import habemus.cli.simulate.FuzzCommand;
import habemus.cli.simulate.ReplayCommand;
import habemus.cli.simulate.RunCommand;
import habemus.cli.soak.SoakCommand;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ExitCode;
import habemus.cli.terminal.InterruptSignal;
import habemus.cli.terminal.SpellingSuggestion;
import habemus.cli.terminal.Terminal;
import habemus.cli.terminal.TwoColumnText;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** {@code habemus}: finds the command, has it carried out, and says in one line why not. */
public final class Main {

    private static final List<Command> COMMANDS = List.of(
            new ListCommand(),
            new RunCommand(),
            new CheckCommand(),
            new FuzzCommand(),
            new CompareCommand(),
            new MatrixCommand(),
            new MutantsCommand(),
            new QuorumCommand(),
            new TimeoutCommand(),
            new BenchCommand(),
            new ServeCommand(),
            new UpCommand(),
            new StatusCommand(),
            new LocksCommand(),
            new LeadersCommand(),
            new WatchCommand(),
            new LockCommand(),
            new ElectCommand(),
            new ReleaseCommand(),
            new TransferCommand(),
            new SessionsCommand(),
            new DeadlocksCommand(),
            new AuditCommand(),
            new MembersCommand(),
            new BackupCommand(),
            new RestoreCommand(),
            new ReplayCommand(),
            new CountCommand(),
            new SoakCommand());

    private Main() {}

    public static void main(String[] args) {
        var terminal = Terminal.system();
        int code = run(List.of(args), terminal);
        terminal.flush();
        InterruptSignal.exit(code);
    }

    /** @return the exit code */
    static int run(List<String> args, Terminal terminal) {
        try {
            return execute(args, terminal);
        } catch (CommandException commandException) {
            return printError(commandException, args, terminal);
        } catch (OutOfMemoryError full) {
            var hint = "give fewer nodes or a shorter run, or more memory with HABEMUS_JAVA_OPTS=-Xmx…";
            return printError(CommandException.failure("there is not enough memory for this", hint), args, terminal);
        } catch (RuntimeException bug) {
            var where = bug.getStackTrace().length == 0 ? "" : " at " + bug.getStackTrace()[0];
            var hint = "this is a bug of habemus, please tell us what you ran";
            return printError(
                    CommandException.failure("something impossible happened: " + bug + where, hint), args, terminal);
        }
    }

    private static int execute(List<String> args, Terminal terminal) {
        var first = args.isEmpty() ? "--help" : args.getFirst();
        if (first.equals("--help") || first.equals("-h") || first.equals("help")) {
            terminal.out().print(help());
            return ExitCode.OK;
        }
        if (first.equals("--version") || first.equals("-V")) {
            terminal.out().println("habemus " + version());
            return ExitCode.OK;
        }
        var command = find(first);
        var rest = RunOptions.expandBareSwarm(args.subList(1, args.size()));
        var commandSyntax = command.syntax(rest);
        var parsed = commandSyntax.parse(rest);
        if (parsed.isUsageHelpRequested()) {
            terminal.out().print(commandSyntax.usageText());
            return ExitCode.OK;
        }
        return command.run(parsed, terminal);
    }

    private static Command find(String name) {
        var found =
                COMMANDS.stream().filter(command -> command.name().equals(name)).findFirst();
        return found.orElseThrow(() -> {
            var names = COMMANDS.stream().map(Command::name).toList();
            var what = name.startsWith("-") ? "there is no option " : "there is no command ";
            return CommandException.usage(
                    what + "'" + name + "'", SpellingSuggestion.hint(name, names) + "habemus --help shows all");
        });
    }

    private static String help() {
        var text = new TwoColumnText(2, 12);
        text.line("habemus COMMAND [options]").line("");
        text.line("Leader election and distributed locks, with every promise replayable.")
                .line("");
        COMMANDS.forEach(command -> text.row(command.name(), command.summary()));
        text.line("").row("--help", "says this; after a command: what it understands");
        text.row("--version", "says which version this is");
        text.line("")
                .line("Exit codes: 0 done, and what was judged holds; 1 violated, or a lock not obtained;")
                .line("2 wrong usage; 3 cannot reach or run; 4 lock or leadership lost;")
                .line("a command's own failure is passed on.");
        text.line("").line("Example:").line("  habemus run ricart-agrawala -n 3 --seed 7");
        return text.toString();
    }

    private static String version() {
        return Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
                .orElse("(not packed)");
    }

    private static int printError(CommandException commandException, List<String> args, Terminal terminal) {
        if (RunOptions.beforeDoubleDash(args).contains("--json")) {
            var error = new JsonObject();
            error.addProperty("code", commandException.code());
            error.addProperty("message", commandException.message());
            error.addProperty("hint", commandException.hint());
            var json = new JsonObject();
            json.add("error", error);
            terminal.out().println(json);
        } else {
            terminal.err().println(oneLine("habemus: " + commandException.message() + "; " + commandException.hint()));
        }
        return commandException.code();
    }

    private static String oneLine(String text) {
        return String.join(" ", Arrays.asList(text.split("\\R", -1)));
    }
}
