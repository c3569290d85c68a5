package habemus.cli;

import com.google.gson.JsonObject;
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
            new MuseumCommand(),
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
        Interruption.exit(code);
    }

    /** @return the exit code */
    static int run(List<String> args, Terminal terminal) {
        try {
            return carryOut(args, terminal);
        } catch (Refusal refusal) {
            return complain(refusal, args, terminal);
        } catch (OutOfMemoryError full) {
            var hint = "give fewer nodes or a shorter run, or more memory with HABEMUS_JAVA_OPTS=-Xmx…";
            return complain(Refusal.cannot("there is not enough memory for this", hint), args, terminal);
        } catch (RuntimeException bug) {
            var where = bug.getStackTrace().length == 0 ? "" : " at " + bug.getStackTrace()[0];
            var hint = "this is a bug of habemus, please tell us what you ran";
            return complain(Refusal.cannot("something impossible happened: " + bug + where, hint), args, terminal);
        }
    }

    private static int carryOut(List<String> args, Terminal terminal) {
        var first = args.isEmpty() ? "--help" : args.getFirst();
        if (first.equals("--help") || first.equals("-h") || first.equals("help")) {
            terminal.out().print(help());
            return ExitCode.DONE;
        }
        if (first.equals("--version") || first.equals("-V")) {
            terminal.out().println("habemus " + version());
            return ExitCode.DONE;
        }
        var command = find(first);
        var rest = RunSyntax.prepared(args.subList(1, args.size()));
        var sheet = command.sheet(rest);
        var parsed = sheet.parse(rest);
        if (parsed.isUsageHelpRequested()) {
            terminal.out().print(sheet.help());
            return ExitCode.DONE;
        }
        return command.run(parsed, terminal);
    }

    private static Command find(String name) {
        var found =
                COMMANDS.stream().filter(command -> command.name().equals(name)).findFirst();
        return found.orElseThrow(() -> {
            var names = COMMANDS.stream().map(Command::name).toList();
            var what = name.startsWith("-") ? "there is no option " : "there is no command ";
            return Refusal.wrong(what + "'" + name + "'", Nearest.hint(name, names) + "habemus --help shows all");
        });
    }

    private static String help() {
        var text = new Columns(2, 12);
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

    private static int complain(Refusal refusal, List<String> args, Terminal terminal) {
        if (RunSyntax.own(args).contains("--json")) {
            var error = new JsonObject();
            error.addProperty("code", refusal.code());
            error.addProperty("message", refusal.message());
            error.addProperty("hint", refusal.hint());
            var json = new JsonObject();
            json.add("error", error);
            terminal.out().println(json);
        } else {
            terminal.err().println(oneLine("habemus: " + refusal.message() + "; " + refusal.hint()));
        }
        return refusal.code();
    }

    private static String oneLine(String text) {
        return String.join(" ", Arrays.asList(text.split("\\R", -1)));
    }
}
