package habemus.service.faults;

import habemus.client.Attempt;
import habemus.client.Grant;
import habemus.client.Habemus;
import habemus.client.Options;
import habemus.client.Unreachable;
import habemus.protocol.NodeId;
import habemus.service.net.Member;
import habemus.service.session.FencedConfig;
import habemus.service.session.FencedNode;
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
final class FencedPuppet {

    static final Duration LEASE = Duration.ofSeconds(4);

    private static final PrintStream OUT =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private FencedPuppet() {}

    /** The cluster, the node, its folder; or the doors. */
    public static void main(String[] args) throws IOException, InterruptedException {
        try (var orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            if (args.length == 3) {
                serve(args, orders);
            } else {
                use(args[0], orders);
            }
        }
    }

    private static void say(String words) {
        OUT.println(words);
    }

    private static void serve(String[] args, BufferedReader orders) throws IOException {
        var config = FencedConfig.of(
                Member.parse(args[0]), new NodeId(Integer.parseInt(args[1])), Optional.of(Path.of(args[2])));
        try (var node = FencedNode.start(config)) {
            say("up");
            while (orders.readLine() != null) {
                say("leader " + node.reception().leader().map(NodeId::toString).orElse("none"));
            }
        }
    }

    private static void use(String doors, BufferedReader orders) throws IOException, InterruptedException {
        var options = Options.to(doors.split(",", -1)).lease(LEASE).connectTimeout(LEASE);
        try (var habemus = connect(options)) {
            say("up");
            Map<String, Grant> grants = new HashMap<>();
            for (var order = orders.readLine(); order != null; order = orders.readLine()) {
                var name = order.split(" ", -1)[1];
                switch (order.split(" ", -1)[0]) {
                    case "acquire" -> grants.put(name, acquire(habemus, name));
                    case "try" ->
                        say("tried " + name + " " + tried(habemus.lock(name).tryAcquire()));
                    case "valid" -> say("valid " + name + " " + grants.get(name).isValid());
                    case "release" -> {
                        grants.get(name).close();
                        say("released " + name);
                    }
                    default -> throw new IllegalArgumentException(order);
                }
            }
        }
    }

    /** The service may not have a leader yet. */
    private static Habemus connect(Options options) {
        while (true) {
            try {
                return Habemus.connect(options);
            } catch (Unreachable early) {
                // not for long
            }
        }
    }

    private static Grant acquire(Habemus habemus, String name) throws InterruptedException {
        var grant = habemus.lock(name).acquire();
        say("granted " + name + " " + grant.fence() + " " + System.nanoTime());
        grant.onLost(() -> say("lost " + name + " " + System.nanoTime()));
        return grant;
    }

    private static String tried(Attempt attempt) {
        return switch (attempt) {
            case Attempt.Granted granted -> "granted";
            case Attempt.Busy busy -> "busy";
            case Attempt.NoQuorum alone -> "no-quorum";
        };
    }
}
