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
import habemus.cli.analyze.AdviseCommand;
import habemus.cli.analyze.CompareCommand;
import habemus.cli.analyze.ExplainCommand;
import habemus.cli.analyze.ListCommand;
import habemus.cli.analyze.QuorumCommand;
import habemus.cli.analyze.TimeoutCommand;
import habemus.cli.attack.AttackCommand;
import habemus.cli.bench.BenchCommand;
import habemus.cli.bench.CountCommand;
import habemus.cli.check.CheckCommand;
import habemus.cli.check.MatrixCommand;
import habemus.cli.check.MutantsCommand;
import habemus.cli.course.ExerciseCommand;
import habemus.cli.course.ServersCommand;
import habemus.cli.course.ThreadsCommand;
import habemus.cli.exec.ElectCommand;
import habemus.cli.exec.LockCommand;
import habemus.cli.options.LanguageOption;
import habemus.cli.options.RunOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.serve.ServeCommand;
import habemus.cli.serve.UpCommand;
import habemus.cli.simulate.FuzzCommand;
import habemus.cli.simulate.RunCommand;
import habemus.cli.simulate.ValidateCommand;
import habemus.cli.soak.SoakCommand;
import habemus.cli.terminal.InterruptSignal;
import habemus.cli.terminal.Terminal;
import habemus.cli.terminal.TwoColumnText;
import habemus.cli.web.LabCommand;
import habemus.harness.HarnessException;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import habemus.lab.command.SpellingSuggestion;
import habemus.lab.table.DisplayWidth;
import habemus.lockservice.name.PrintableText;
import java.util.List;
import java.util.Optional;

/** The entry point of {@code habemus}: finds the command, runs it, and prints an error with a hint if it fails. */
public final class Main {

    private static final List<Subcommand> COMMANDS = List.of(
            new ListCommand(),
            new ExplainCommand(),
            new AdviseCommand(),
            new RunCommand(),
            new CheckCommand(),
            new FuzzCommand(),
            new CompareCommand(),
            new MatrixCommand(),
            new MutantsCommand(),
            new QuorumCommand(),
            new TimeoutCommand(),
            new LabCommand(),
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
            new ValidateCommand(),
            new CountCommand(),
            new ThreadsCommand(),
            new ServersCommand(),
            new ExerciseCommand(),
            new SoakCommand(),
            new AttackCommand());

    private static final String ABOUT = "Leader election and distributed locks, with every guarantee replayable.";
    private static final String EXIT_CODES = "Exit codes: 0 success; 1 violated, or lock not acquired in time;"
            + " 2 wrong usage; 3 node unreachable or command failed; 4 lock or leadership lost;"
            + " 5 search ended before it was complete; lock and elect pass on the exit code of their command.";

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
            return execute(LanguageOption.remove(args), LanguageOption.applyTo(terminal, args));
        } catch (CommandException error) {
            return printError(error, args, terminal);
        } catch (HarnessException failed) {
            return printError(CommandException.failure(failed.message(), failed.hint()), args, terminal);
        } catch (OutOfMemoryError full) {
            var hint = "use fewer nodes or a shorter run, or set HABEMUS_JAVA_OPTS=-Xmx…";
            return printError(CommandException.failure("out of memory", hint), args, terminal);
        } catch (RuntimeException bug) {
            var where = bug.getStackTrace().length == 0 ? "" : " at " + bug.getStackTrace()[0];
            var hint = "this is a bug of habemus: please report the command line";
            return printError(CommandException.failure("internal error: " + bug + where, hint), args, terminal);
        }
    }

    private static int execute(List<String> args, Terminal terminal) {
        var first = args.isEmpty() ? "--help" : args.getFirst();
        if (first.equals("--help") || first.equals("-h") || first.equals("help")) {
            terminal.out().print(help(terminal));
            return ExitCode.OK;
        }
        if (first.equals("--version") || first.equals("-V")) {
            terminal.out().println("habemus " + version());
            return ExitCode.OK;
        }
        var command = find(first);
        var rest = RunOptions.expandBareSwarm(args.subList(1, args.size()));
        var syntax = command.syntax(rest);
        var parsed = syntax.parse(rest);
        if (parsed.isUsageHelpRequested()) {
            terminal.out().print(syntax.usageText(terminal));
            return ExitCode.OK;
        }
        return command.run(parsed, terminal);
    }

    private static Subcommand find(String name) {
        var found =
                COMMANDS.stream().filter(command -> command.name().equals(name)).findFirst();
        return found.orElseThrow(() -> {
            var names = COMMANDS.stream().map(Subcommand::name).toList();
            var kind = name.startsWith("-") ? "option" : "command";
            return CommandException.usage(
                    "unknown " + kind + ": '" + name + "'",
                    SpellingSuggestion.hint(name, names) + "habemus --help lists the commands");
        });
    }

    private static String help(Terminal terminal) {
        var translation = terminal.translation();
        var text = new TwoColumnText(terminal.columns(), 2, 12);
        text.line(translation.of("habemus COMMAND [options]")).line("");
        text.line(translation.of(ABOUT)).line("");
        COMMANDS.forEach(command -> text.row(command.name(), translation.of(command.summary())));
        text.line("").row("--help", translation.of("Prints this help; after a command: its options."));
        text.row("--version", translation.of("Prints the version."));
        text.row("--lang CODE", translation.of(LanguageOption.HELP));
        text.line("");
        DisplayWidth.wrap(translation.of(EXIT_CODES), Math.min(TwoColumnText.WIDTH, terminal.columns()))
                .forEach(text::line);
        text.line("").line(translation.of("Example:")).line("  habemus run ricart-agrawala -n 3 --seed 7");
        return text.toString();
    }

    private static String version() {
        return Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
                .orElse("(not packaged)");
    }

    private static int printError(CommandException error, List<String> args, Terminal terminal) {
        if (RunOptions.beforeDoubleDash(args).contains("--json")) {
            var fields = new JsonObject();
            fields.addProperty("code", error.code());
            fields.addProperty("message", error.message());
            if (!error.details().isEmpty()) {
                fields.addProperty("details", String.join("\n", error.details()));
            }
            fields.addProperty("hint", error.hint());
            var json = new JsonObject();
            json.add("error", fields);
            terminal.out().println(json);
        } else {
            terminal.err().println("habemus: " + oneLine(error.message()));
            error.details().forEach(line -> terminal.err().println(PrintableText.escapeLines(line)));
            terminal.err().println("hint: " + oneLine(error.hint()));
        }
        return error.code();
    }

    private static String oneLine(String text) {
        return PrintableText.escape(text.replaceAll("\\R", " "));
    }
}
