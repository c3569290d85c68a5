package habemus.bench;

import habemus.bench.browser.BrowserCommand;
import habemus.bench.log.LogCommand;
import habemus.bench.oracle.RaftOracleCommand;
import habemus.bench.peers.PeersCommand;
import habemus.bench.peers.SessionBenchmarkCommand;
import habemus.bench.raft.RaftStepCommand;
import habemus.bench.service.LargeTableCommand;
import habemus.bench.service.SnapshotPauseCommand;
import habemus.bench.transport.TransportCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** {@code bench/run}: benchmarks beside other tools. */
@Command(
        name = "bench/run",
        description = "Compares the model checker with TLC, or runs one of the commands.",
        footer = {"", "Example: bench/run --rounds 10 --write docs/benchmarks.md"},
        usageHelpAutoWidth = true,
        subcommands = {
            PeersCommand.class,
            SessionBenchmarkCommand.class,
            RaftOracleCommand.class,
            RaftStepCommand.class,
            LogCommand.class,
            SnapshotPauseCommand.class,
            LargeTableCommand.class,
            TransportCommand.class,
            BrowserCommand.class
        })
final class BenchMain implements Callable<Integer> {

    private static final int FAILURE = 3;

    @Option(names = "--rounds", paramLabel = "N", description = "warm rounds of the checker (default: 10)")
    private int rounds = 10;

    @Option(names = "--write", paramLabel = "FILE", description = "also writes the table into its section of FILE")
    private Optional<Path> file = Optional.empty();

    @SuppressWarnings("UnusedVariable") // only declares the option
    @Option(names = "--help", usageHelp = true, scope = ScopeType.INHERIT, description = "shows this help")
    private boolean help;

    public static void main(String... args) {
        System.exit(new CommandLine(new BenchMain())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(BenchMain::onUsageError)
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    System.err.println("bench/run: " + failure.getMessage());
                    return FAILURE;
                })
                .execute(args));
    }

    private static int onUsageError(ParameterException invalid, String... args) {
        var command = invalid.getCommandLine().getCommandSpec().qualifiedName();
        System.err.println("bench/run: " + invalid.getMessage() + "\nhint: " + command + " --help");
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
