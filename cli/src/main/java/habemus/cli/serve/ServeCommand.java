package habemus.cli.serve;

import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ConsoleLogging;
import habemus.cli.terminal.ExitCode;
import habemus.cli.terminal.InterruptSignal;
import habemus.cli.terminal.Terminal;
import habemus.service.algorithm.AlgorithmNode;
import habemus.service.algorithm.AlgorithmNodeConfig;
import habemus.service.algorithm.GroupFailure;
import habemus.service.http.HttpServer;
import habemus.service.server.LockServerConfig;
import habemus.service.server.LockServerNode;
import habemus.service.storage.CorruptFileException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.ParseResult;

/** {@code habemus serve}: a node of the production service, or of a cluster that runs algorithms of the catalogue. */
public final class ServeCommand implements Command {

    /** Above a node's own port. */
    public static final int HTTP_PORT_OFFSET = 200;

    @Override
    public String name() {
        return "serve";
    }

    @Override
    public String summary() {
        return "Runs a node of the lock and election service; or, by name, of the classic algorithms across processes.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return ServeOptions.syntax(this)
                .examples(
                        "habemus serve --cluster n1=10.0.0.1:7601,n2=10.0.0.2:7601,n3=10.0.0.3:7601 --me n1 --data n1",
                        "habemus serve --cluster n1=127.0.0.1:7601 --me n1 --election term-majority");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        return ServeOptions.isClassic(parsed) ? serveClassic(parsed, terminal) : serveProduction(parsed, terminal);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // whoever waits for the end is told
    private static int serveProduction(ParseResult parsed, Terminal terminal) {
        var config = ServeOptions.lockServerConfig(parsed);
        ConsoleLogging.configure(parsed.hasMatchedOption("--verbose"));
        var over = new CompletableFuture<Optional<String>>();
        try (var interruptSignal = new InterruptSignal(() -> over.complete(Optional.empty()));
                var node = start(config);
                var door = open(node)) {
            node.failure().thenAccept(why -> over.complete(Optional.of(why.toString())));
            if (parsed.hasMatchedOption("--until-eof")) {
                Thread.ofPlatform().daemon().start(() -> awaitEndOfInput(() -> over.complete(Optional.empty())));
            }
            if (!node.log().isFaultTolerant() && !config.joining()) {
                terminal.err()
                        .println("habemus: NOT FAULT TOLERANT: "
                                + config.members().size()
                                + " node(s); the service stops with the first that fails. Three survive one.");
            }
            terminal.out()
                    .println(config.self() + " is up at " + address(config) + ", clients at " + node.clientAddress()
                            + ", HTTP at " + format(door.address()));
            terminal.flush();
            over.join().filter(why -> !interruptSignal.isInterrupted()).ifPresent(why -> {
                throw CommandException.failure(
                        config.self() + " has stopped: " + why, "its log says more; start it again");
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
            throw CommandException.failure(
                    config.self() + " cannot start: " + failed.getMessage(),
                    "is its address one of this machine, and are its port " + address(config)
                            + " and those 100, 200 and 300 above it free?");
        }
    }

    private static String address(LockServerConfig config) {
        return config.members().stream()
                .filter(member -> member.node().equals(config.self()))
                .map(member -> format(member.address()))
                .findFirst()
                .orElseThrow();
    }

    private static HttpServer open(LockServerNode node) {
        try {
            return new HttpServer(node);
        } catch (IllegalStateException taken) {
            node.close();
            throw CommandException.failure(String.valueOf(taken.getMessage()), "choose another with --http HOST:PORT");
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // whoever waits for the end is told
    private static int serveClassic(ParseResult parsed, Terminal terminal) {
        var config = ServeOptions.algorithmNodeConfig(parsed);
        var http = ServeOptions.http(parsed, config);
        ConsoleLogging.configure(parsed.hasMatchedOption("--verbose"));
        var over = new CompletableFuture<Optional<GroupFailure>>();
        try (var interruptSignal = new InterruptSignal(() -> over.complete(Optional.empty()));
                var algorithmNode = start(config);
                var door = open(algorithmNode, http)) {
            algorithmNode.failure().thenAccept(why -> over.complete(Optional.of(why)));
            if (parsed.hasMatchedOption("--until-eof") && !parsed.hasMatchedOption(EmbeddedLoad.OPTION)) {
                Thread.ofPlatform().daemon().start(() -> awaitEndOfInput(() -> over.complete(Optional.empty())));
            }
            if (parsed.hasMatchedOption("--election")) {
                algorithmNode.campaign(ServeOptions.DEFAULT_ELECTION);
            }
            terminal.out()
                    .println(config.self() + " is up at " + address(config) + ", HTTP at " + format(door.address()));
            terminal.flush();
            if (parsed.hasMatchedOption(EmbeddedLoad.OPTION)) {
                new EmbeddedLoad(algorithmNode).serve(terminal, () -> over.complete(Optional.empty()));
            }
            over.join()
                    .filter(groupFailure -> !interruptSignal.isInterrupted())
                    .ifPresent(groupFailure -> throwFailure(groupFailure, config));
            return ExitCode.OK;
        }
    }

    private static String address(AlgorithmNodeConfig config) {
        return format(config.members().get(config.self().number() - 1).address());
    }

    public static String format(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    private static AlgorithmNode start(AlgorithmNodeConfig config) {
        try {
            return AlgorithmNode.start(config);
        } catch (CorruptFileException corruptFileException) {
            throw corruptFile(corruptFileException);
        } catch (UncheckedIOException | IllegalStateException | IllegalArgumentException failed) {
            throw CommandException.failure(
                    config.self() + " cannot start: " + failed.getMessage(),
                    "is its address one of this machine, and its port " + address(config)
                            + ", and the one 100 above it, free?");
        }
    }

    private static CommandException corruptFile(RuntimeException damaged) {
        return CommandException.failure(
                String.valueOf(damaged.getMessage()),
                "restore it from a copy; only if this node may forget what it promised, remove its data folder");
    }

    private static HttpServer open(AlgorithmNode algorithmNode, InetSocketAddress address) {
        try {
            return new HttpServer(algorithmNode, address);
        } catch (IllegalStateException taken) {
            algorithmNode.close();
            throw CommandException.failure(String.valueOf(taken.getMessage()), "choose another with --http HOST:PORT");
        }
    }

    /** Whoever started this process has gone. */
    private static void awaitEndOfInput(Runnable over) {
        try {
            while (System.in.read() >= 0) {
                // nothing that comes this way has a meaning
            }
        } catch (IOException closed) {
            // which is the same
        }
        over.run();
    }

    /** A disk that fails is no bug of an algorithm. */
    private static void throwFailure(GroupFailure groupFailure, AlgorithmNodeConfig config) {
        if (groupFailure.cause() instanceof CorruptFileException corruptFileException) {
            throw corruptFile(corruptFileException);
        }
        if (groupFailure.cause() instanceof UncheckedIOException) {
            throw CommandException.failure(groupFailure.toString(), "a node does not go on without its disk");
        }
        throw CommandException.bug(
                groupFailure.toString(),
                config.traceFolder()
                        .map(folder -> "its trace is in " + folder + ": please send it to us")
                        .orElse("with --record DIR there would be a trace of it: please send us one"));
    }
}
