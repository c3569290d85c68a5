package habemus.harness.faults;

import habemus.client.AcquireResult;
import habemus.client.ClientOptions;
import habemus.client.Grant;
import habemus.client.Habemus;
import habemus.client.ServiceUnavailableException;
import habemus.protocol.NodeId;
import habemus.service.server.LockServerConfig;
import habemus.service.server.LockServerNode;
import habemus.service.transport.Member;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A node or a client of the lock service as a process. It reads commands from its standard input and prints events.
 * Times are those of the monotonic clock, which all processes of a machine share.
 *
 * <pre>
 *   leader           leader nK, or leader none; this command is for a node
 *   acquire NAME     granted NAME FENCE TIME, later maybe lost NAME TIME; this and the following for a client
 *   try NAME         tried NAME granted, busy or no-quorum
 *   valid NAME       valid NAME true
 *   release NAME     released NAME
 * </pre>
 */
final class LockServerMain {

    static final Duration LEASE = Duration.ofSeconds(4);

    private static final PrintStream OUT =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private LockServerMain() {}

    /** @param args of a node: members, number and data folder; of a client: the client addresses of the nodes */
    public static void main(String[] args) throws IOException, InterruptedException {
        try (var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            if (args.length == 3) {
                serve(args, commands);
            } else {
                runClient(args[0], commands);
            }
        }
    }

    private static void print(String line) {
        OUT.println(line);
    }

    private static void serve(String[] args, BufferedReader commands) throws IOException {
        var config = LockServerConfig.of(
                Member.parse(args[0]), new NodeId(Integer.parseInt(args[1])), Optional.of(Path.of(args[2])));
        try (var node = LockServerNode.start(config)) {
            print("up");
            while (commands.readLine() != null) {
                print("leader " + node.loop().leader().map(NodeId::toString).orElse("none"));
            }
        }
    }

    private static void runClient(String addresses, BufferedReader commands) throws IOException, InterruptedException {
        var options =
                ClientOptions.to(addresses.split(",", -1)).withLease(LEASE).withConnectTimeout(LEASE);
        try (var habemus = connect(options)) {
            print("up");
            Map<String, Grant> grants = new HashMap<>();
            for (var command = commands.readLine(); command != null; command = commands.readLine()) {
                var name = command.split(" ", -1)[1];
                switch (command.split(" ", -1)[0]) {
                    case "acquire" -> grants.put(name, acquire(habemus, name));
                    case "try" ->
                        print("tried " + name + " " + format(habemus.lock(name).tryAcquire()));
                    case "valid" ->
                        print("valid " + name + " " + grants.get(name).isValid());
                    case "release" -> {
                        grants.get(name).close();
                        print("released " + name);
                    }
                    default -> throw new IllegalArgumentException(command);
                }
            }
        }
    }

    /** The service may not have a leader yet. */
    private static Habemus connect(ClientOptions options) {
        while (true) {
            try {
                return Habemus.connect(options);
            } catch (ServiceUnavailableException early) {
                // tries again
            }
        }
    }

    private static Grant acquire(Habemus habemus, String name) throws InterruptedException {
        var grant = habemus.lock(name).acquire();
        print("granted " + name + " " + grant.fence() + " " + System.nanoTime());
        grant.onLost(() -> print("lost " + name + " " + System.nanoTime()));
        return grant;
    }

    private static String format(AcquireResult result) {
        return switch (result) {
            case AcquireResult.Granted granted -> "granted";
            case AcquireResult.Busy busy -> "busy";
            case AcquireResult.NoQuorum noQuorum -> "no-quorum";
        };
    }
}
