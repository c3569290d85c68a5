package habemus.bench;

import habemus.bench.peers.PeersCommand;
import habemus.bench.peers.SessionsCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** {@code bench/run}: what is measured beside the tools of others. */
@Command(
        name = "bench/run",
        description = "Measures the checker beside TLC. With a command: what that says.",
        footer = {"", "Example: bench/run --rounds 10 --write docs/benchmarks.md"},
        usageHelpAutoWidth = true,
        subcommands = {PeersCommand.class, SessionsCommand.class})
final class Main implements Callable<Integer> {

    private static final int FAILURE = 3;

    @Option(names = "--rounds", paramLabel = "N", description = "of the checker that are warm (standard: 10)")
    private int rounds = 10;

    @Option(names = "--write", paramLabel = "FILE", description = "also puts the table into FILE, between its marks")
    private Optional<Path> file = Optional.empty();

    @SuppressWarnings("UnusedVariable") // that it is an option is all
    @Option(names = "--help", usageHelp = true, scope = ScopeType.INHERIT, description = "shows this")
    private boolean help;

    public static void main(String... args) {
        System.exit(new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Main::onUsageError)
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    System.err.println("bench/run: " + failure.getMessage());
                    return FAILURE;
                })
                .execute(args));
    }

    private static int onUsageError(ParameterException refused, String... args) {
        var command = refused.getCommandLine().getCommandSpec().qualifiedName();
        System.err.println("bench/run: " + refused.getMessage() + "; " + command + " --help tells more");
        return CommandLine.ExitCode.USAGE;
    }

    @Override
    public Integer call() throws IOException {
        var outputPage = OutputPage.open(file, "bench/run");
        var table = TlcComparison.run(rounds, (what, done, all) -> System.err.println(what + " ..."))
                .table();
        outputPage.print(table);
        return CommandLine.ExitCode.OK;
    }
}
