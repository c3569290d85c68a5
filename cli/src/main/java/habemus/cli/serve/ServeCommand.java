package habemus.cli.serve;

import habemus.cli.options.AddressOptions;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.InterruptSignal;
import habemus.cli.terminal.Terminal;
import habemus.harness.bench.EmbeddedLoad;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import habemus.protocol.NodeId;
import habemus.service.algorithm.AlgorithmNode;
import habemus.service.algorithm.AlgorithmNodeConfig;
import habemus.service.algorithm.MembershipException;
import habemus.service.http.HttpServer;
import habemus.service.runtime.NodeFailure;
import habemus.service.server.HttpConfig;
import habemus.service.server.LockServerConfig;
import habemus.service.server.LockServerNode;
import habemus.service.storage.CorruptFileException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.ParseResult;

/** {@code habemus serve}: runs a node of the production service, or a node of classic algorithms. */
public final class ServeCommand implements Subcommand {

    /** The HTTP port minus the port for other nodes. */
    public static final int HTTP_PORT_OFFSET = 200;

    @Override
    public String name() {
        return "serve";
    }

    @Override
    public String summary() {
        return "Runs a node of the lock and election service, or of a classic algorithm (--algorithm, --election).";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return ServeOptions.syntax(this)
                .examples(
                        "habemus serve --cluster n1=10.0.0.1:7601,n2=10.0.0.2:7601,n3=10.0.0.3:7601"
                                + " --node n1 --data n1",
                        "habemus serve --cluster n1=10.0.0.1:7601 --node n1 --log jdbc:postgresql://db/app?user=app",
                        "habemus serve --cluster n1=127.0.0.1:7601 --node n1 --election term-majority",
                        "habemus serve --cluster n1=10.0.0.1:7601,n4=10.0.0.4:7601"
                                + " --node n4 --algorithm central --join");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        DeserializationFilter.install();
        return ServeOptions.isClassic(parsed) ? serveClassic(parsed, terminal) : serveProduction(parsed, terminal);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the failure completes stop
    private static int serveProduction(ParseResult parsed, Terminal terminal) {
        var config = ServeOptions.lockServerConfig(parsed);
        ServeOptions.configureLogging(parsed);
        var stop = new CompletableFuture<Optional<String>>();
        try (var interrupt = new InterruptSignal(() -> stop.complete(Optional.empty()));
                var node = start(config);
                var httpServer = open(node)) {
            node.failure().thenAccept(reason -> stop.complete(Optional.of(reason.toString())));
            if (parsed.hasMatchedOption("--until-eof")) {
                Thread.ofPlatform().daemon().start(() -> awaitEndOfInput(() -> stop.complete(Optional.empty())));
            }
            terminal.out()
                    .println(config.self() + " is up at " + address(config) + ", clients at " + node.clientAddress()
                            + ", HTTP at " + AddressOptions.format(httpServer.address()));
            terminal.flush();
            stop.join().filter(reason -> !interrupt.isInterrupted()).ifPresent(reason -> {
                throw CommandException.failure(
                        config.self() + " has stopped: " + reason, "see its log, and start it again");
            });
            return ExitCode.OK;
        }
    }

    private static LockServerNode start(LockServerConfig config) {
        try {
            return LockServerNode.start(config);
        } catch (CorruptFileException corruptFileException) {
            throw corruptFile(corruptFileException);
        } catch (UncheckedIOException | IllegalStateException | IllegalArgumentException failed) {
            throw cannotStart(config.self(), failed);
        }
    }

    private static CommandException cannotStart(NodeId node, RuntimeException failed) {
        return CommandException.withHint(failed, "see habemus serve --help").withLocation(node + " cannot start");
    }

    private static String address(LockServerConfig config) {
        return config.members().stream()
                .filter(member -> member.node().equals(config.self()))
                .map(member -> AddressOptions.format(member.address()))
                .findFirst()
                .orElseThrow();
    }

    private static HttpServer open(LockServerNode node) {
        try {
            return new HttpServer(node);
        } catch (IllegalStateException | IllegalArgumentException taken) {
            node.close();
            throw CommandException.withHint(taken, "choose another address with --http HOST:PORT");
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the failure completes stop
    private static int serveClassic(ParseResult parsed, Terminal terminal) {
        var config = ServeOptions.algorithmNodeConfig(parsed);
        var http = ServeOptions.http(parsed, config);
        ServeOptions.configureLogging(parsed);
        var stop = new CompletableFuture<Optional<NodeFailure>>();
        try (var interrupt = new InterruptSignal(() -> stop.complete(Optional.empty()));
                var algorithmNode = start(config);
                var httpServer = open(algorithmNode, http)) {
            algorithmNode.failure().thenAccept(reason -> stop.complete(Optional.of(reason)));
            algorithmNode.departure().thenAccept(left -> stop.complete(Optional.empty()));
            if (parsed.hasMatchedOption("--until-eof") && !parsed.hasMatchedOption(NodeProcessCommand.LOAD_OPTION)) {
                Thread.ofPlatform().daemon().start(() -> awaitEndOfInput(() -> stop.complete(Optional.empty())));
            }
            if (parsed.hasMatchedOption("--election")) {
                algorithmNode.campaign(ServeOptions.DEFAULT_ELECTION);
            }
            println(
                    terminal,
                    config.self() + " is up at " + address(config) + ", HTTP at "
                            + AddressOptions.format(httpServer.address()));
            if (parsed.hasMatchedOption(NodeProcessCommand.LOAD_OPTION)) {
                new EmbeddedLoad(algorithmNode)
                        .serve(System.in, line -> println(terminal, line), () -> stop.complete(Optional.empty()));
            }
            stop.join()
                    .filter(failure -> !interrupt.isInterrupted())
                    .ifPresent(failure -> throwFailure(failure, config));
            if (algorithmNode.departure().isDone()) {
                println(terminal, leftLine(config.self().toString()));
            }
            return ExitCode.OK;
        }
    }

    private static void println(Terminal terminal, String line) {
        terminal.out().println(line);
        terminal.flush();
    }

    /** What a node prints before it ends because it has left. */
    static String leftLine(String node) {
        return node + " has left";
    }

    private static String address(AlgorithmNodeConfig config) {
        return AddressOptions.format(config.selfMember().address());
    }

    private static AlgorithmNode start(AlgorithmNodeConfig config) {
        try {
            return AlgorithmNode.start(config);
        } catch (CorruptFileException corruptFileException) {
            throw corruptFile(corruptFileException);
        } catch (MembershipException refused) {
            throw CommandException.failure(config.self() + " cannot join: " + refused.getMessage(), refused.hint());
        } catch (UncheckedIOException | IllegalStateException | IllegalArgumentException failed) {
            throw cannotStart(config.self(), failed);
        }
    }

    private static CommandException corruptFile(RuntimeException corrupt) {
        return CommandException.failure(
                String.valueOf(corrupt.getMessage()),
                "restore the file from a copy; remove the data folder only if this node may forget its state");
    }

    private static HttpServer open(AlgorithmNode algorithmNode, HttpConfig http) {
        try {
            return new HttpServer(algorithmNode, http);
        } catch (IllegalStateException | IllegalArgumentException taken) {
            algorithmNode.close();
            throw CommandException.withHint(taken, "choose another address with --http HOST:PORT");
        }
    }

    /** Runs {@code onEnd} when the process that started this one has ended. */
    private static void awaitEndOfInput(Runnable onEnd) {
        try {
            while (System.in.read() >= 0) {
                // ignore the input
            }
        } catch (IOException closed) {
            // the same as the end
        }
        onEnd.run();
    }

    /** Distinguishes a failed disk from a bug of the algorithm. */
    private static void throwFailure(NodeFailure failure, AlgorithmNodeConfig config) {
        if (failure.cause() instanceof CorruptFileException corruptFileException) {
            throw corruptFile(corruptFileException);
        }
        if (failure.cause() instanceof UncheckedIOException) {
            throw CommandException.failure(failure.toString(), "repair the disk, and start the node again");
        }
        throw CommandException.bug(
                failure.toString(),
                config.traceFolder()
                        .map(folder -> "please report it with the trace in " + folder)
                        .orElse("please report it; --record DIR writes a trace"));
    }
}
