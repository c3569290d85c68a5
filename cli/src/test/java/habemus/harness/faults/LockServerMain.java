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
 * A node of the production service, or a client of it, as a process of its own, which does as it is told on its
 * standard input. Times are those of the monotonic clock that all processes of a machine share.
 *
 * <pre>
 *   leader           leader nK, or leader none; of a node
 *   acquire NAME     granted NAME FENCE TIME, later maybe lost NAME TIME; of a client, as all of these
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

    /** The cluster, the node, its folder; or the doors. */
    public static void main(String[] args) throws IOException, InterruptedException {
        try (var orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            if (args.length == 3) {
                serve(args, orders);
            } else {
                runClient(args[0], orders);
            }
        }
    }

    private static void print(String words) {
        OUT.println(words);
    }

    private static void serve(String[] args, BufferedReader orders) throws IOException {
        var config = LockServerConfig.of(
                Member.parse(args[0]), new NodeId(Integer.parseInt(args[1])), Optional.of(Path.of(args[2])));
        try (var node = LockServerNode.start(config)) {
            print("up");
            while (orders.readLine() != null) {
                print("leader " + node.loop().leader().map(NodeId::toString).orElse("none"));
            }
        }
    }

    private static void runClient(String doors, BufferedReader orders) throws IOException, InterruptedException {
        var clientOptions =
                ClientOptions.to(doors.split(",", -1)).withLease(LEASE).withConnectTimeout(LEASE);
        try (var habemus = connect(clientOptions)) {
            print("up");
            Map<String, Grant> grants = new HashMap<>();
            for (var order = orders.readLine(); order != null; order = orders.readLine()) {
                var name = order.split(" ", -1)[1];
                switch (order.split(" ", -1)[0]) {
                    case "acquire" -> grants.put(name, acquire(habemus, name));
                    case "try" ->
                        print("tried " + name + " " + format(habemus.lock(name).tryAcquire()));
                    case "valid" ->
                        print("valid " + name + " " + grants.get(name).isValid());
                    case "release" -> {
                        grants.get(name).close();
                        print("released " + name);
                    }
                    default -> throw new IllegalArgumentException(order);
                }
            }
        }
    }

    /** The service may not have a leader yet. */
    private static Habemus connect(ClientOptions clientOptions) {
        while (true) {
            try {
                return Habemus.connect(clientOptions);
            } catch (ServiceUnavailableException early) {
                // not for long
            }
        }
    }

    private static Grant acquire(Habemus habemus, String name) throws InterruptedException {
        var grant = habemus.lock(name).acquire();
        print("granted " + name + " " + grant.fence() + " " + System.nanoTime());
        grant.onLost(() -> print("lost " + name + " " + System.nanoTime()));
        return grant;
    }

    private static String format(AcquireResult acquireResult) {
        return switch (acquireResult) {
            case AcquireResult.Granted granted -> "granted";
            case AcquireResult.Busy busy -> "busy";
            case AcquireResult.NoQuorum alone -> "no-quorum";
        };
    }
}
