package habemus.cli;

import habemus.service.disk.Damaged;
import habemus.service.http.HttpDoor;
import habemus.service.node.Failure;
import habemus.service.node.Node;
import habemus.service.node.NodeConfig;
import habemus.service.session.FencedConfig;
import habemus.service.session.FencedNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.ParseResult;

/** {@code habemus serve}: a node of the production service, or of a cluster that runs algorithms of the catalogue. */
final class ServeCommand implements Command {

    /** Above a node's own port. */
    static final int HTTP = 200;

    @Override
    public String name() {
        return "serve";
    }

    @Override
    public String summary() {
        return "Runs a node of the lock and election service; or, by name, of the classic algorithms across processes.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        return ServeOptions.sheet(this)
                .example(
                        "habemus serve --cluster n1=10.0.0.1:7601,n2=10.0.0.2:7601,n3=10.0.0.3:7601 --me n1 --data n1",
                        "habemus serve --cluster n1=127.0.0.1:7601 --me n1 --election term-majority");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        return ServeOptions.isClassic(parsed) ? classic(parsed, terminal) : fenced(parsed, terminal);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // whoever waits for the end is told
    private static int fenced(ParseResult parsed, Terminal terminal) {
        var config = ServeOptions.fenced(parsed);
        Logs.begin(parsed.hasMatchedOption("--verbose"));
        var over = new CompletableFuture<Optional<String>>();
        try (var interruption = new Interruption(() -> over.complete(Optional.empty()));
                var node = start(config);
                var door = open(node)) {
            node.failure().thenAccept(why -> over.complete(Optional.of(why.toString())));
            if (parsed.hasMatchedOption("--until-eof")) {
                Thread.ofPlatform().daemon().start(() -> awaitEnd(() -> over.complete(Optional.empty())));
            }
            if (!node.log().isFaultTolerant() && !config.joining()) {
                terminal.err()
                        .println("habemus: NOT FAULT TOLERANT: "
                                + config.members().size()
                                + " node(s); the service stops with the first that fails. Three survive one.");
            }
            terminal.out()
                    .println(config.me() + " is up at " + address(config) + ", clients at " + node.door() + ", HTTP at "
                            + text(door.address()));
            terminal.flush();
            over.join().filter(why -> !interruption.isAsked()).ifPresent(why -> {
                throw Refusal.cannot(config.me() + " has stopped: " + why, "its log says more; start it again");
            });
            return ExitCode.DONE;
        }
    }

    private static FencedNode start(FencedConfig config) {
        try {
            return FencedNode.start(config);
        } catch (Damaged damaged) {
            throw damaged(damaged);
        } catch (UncheckedIOException | IllegalStateException | IllegalArgumentException failed) {
            throw Refusal.cannot(
                    config.me() + " cannot start: " + failed.getMessage(),
                    "is its address one of this machine, and are its port " + address(config)
                            + " and those 100, 200 and 300 above it free?");
        }
    }

    private static String address(FencedConfig config) {
        return config.members().stream()
                .filter(member -> member.node().equals(config.me()))
                .map(member -> text(member.address()))
                .findFirst()
                .orElseThrow();
    }

    private static HttpDoor open(FencedNode node) {
        try {
            return new HttpDoor(node);
        } catch (IllegalStateException taken) {
            node.close();
            throw Refusal.cannot(String.valueOf(taken.getMessage()), "choose another with --http HOST:PORT");
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // whoever waits for the end is told
    private static int classic(ParseResult parsed, Terminal terminal) {
        var config = ServeOptions.config(parsed);
        var http = ServeOptions.http(parsed, config);
        Logs.begin(parsed.hasMatchedOption("--verbose"));
        var over = new CompletableFuture<Optional<Failure>>();
        try (var interruption = new Interruption(() -> over.complete(Optional.empty()));
                var node = start(config);
                var door = open(node, http)) {
            node.failure().thenAccept(why -> over.complete(Optional.of(why)));
            if (parsed.hasMatchedOption("--until-eof") && !parsed.hasMatchedOption(Load.OPTION)) {
                Thread.ofPlatform().daemon().start(() -> awaitEnd(() -> over.complete(Optional.empty())));
            }
            if (parsed.hasMatchedOption("--election")) {
                node.campaign(ServeOptions.LEADER);
            }
            terminal.out().println(config.me() + " is up at " + address(config) + ", HTTP at " + text(door.address()));
            terminal.flush();
            if (parsed.hasMatchedOption(Load.OPTION)) {
                new Load(node).begin(terminal, () -> over.complete(Optional.empty()));
            }
            over.join().filter(failure -> !interruption.isAsked()).ifPresent(failure -> complain(failure, config));
            return ExitCode.DONE;
        }
    }

    private static String address(NodeConfig config) {
        return text(config.members().get(config.me().number() - 1).address());
    }

    static String text(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    private static Node start(NodeConfig config) {
        try {
            return Node.start(config);
        } catch (Damaged damaged) {
            throw damaged(damaged);
        } catch (UncheckedIOException | IllegalStateException | IllegalArgumentException failed) {
            throw Refusal.cannot(
                    config.me() + " cannot start: " + failed.getMessage(),
                    "is its address one of this machine, and its port " + address(config)
                            + ", and the one 100 above it, free?");
        }
    }

    private static Refusal damaged(RuntimeException damaged) {
        return Refusal.cannot(
                String.valueOf(damaged.getMessage()),
                "restore it from a copy; only if this node may forget what it promised, remove its data folder");
    }

    private static HttpDoor open(Node node, InetSocketAddress address) {
        try {
            return new HttpDoor(node, address);
        } catch (IllegalStateException taken) {
            node.close();
            throw Refusal.cannot(String.valueOf(taken.getMessage()), "choose another with --http HOST:PORT");
        }
    }

    /** Whoever started this process has gone. */
    private static void awaitEnd(Runnable over) {
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
    private static void complain(Failure failure, NodeConfig config) {
        if (failure.why() instanceof Damaged damaged) {
            throw damaged(damaged);
        }
        if (failure.why() instanceof UncheckedIOException) {
            throw Refusal.cannot(failure.toString(), "a node does not go on without its disk");
        }
        throw Refusal.bug(
                failure.toString(),
                config.record()
                        .map(folder -> "its trace is in " + folder + ": please send it to us")
                        .orElse("with --record DIR there would be a trace of it: please send us one"));
    }
}
