package habemus.service.faults;

import habemus.protocol.NodeId;
import habemus.service.net.Member;
import habemus.service.node.Account;
import habemus.service.node.Node;
import habemus.service.node.NodeConfig;
import habemus.service.node.Ticket;
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
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A node as a process of its own, which does as it is told on its standard input and says on its output what happens.
 *
 * <pre>
 *   acquire NAME     granted NAME FENCE, later maybe lost NAME
 *   release NAME
 *   campaign NAME
 *   peers -          peers K L…: so many others are there, in these lives
 *   leader NAME      leader NAME nK TERM
 * </pre>
 */
@SuppressWarnings("FutureReturnValueIgnored") // whoever waits for it will notice
final class Puppet {

    private static final PrintStream OUT =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private final Node node;
    private final Map<String, Ticket> tickets = new HashMap<>();

    private Puppet(Node node) {
        this.node = node;
    }

    /** The cluster, the node, the locks' algorithm, the elections' algorithm, then folders: data, record. */
    public static void main(String[] args) throws IOException {
        var config = NodeConfig.of(Member.parse(args[0]), new NodeId(Integer.parseInt(args[1])), args[2], args[3])
                .gatheringFor(Duration.ofSeconds(Long.parseLong(args[4])));
        config = args[5].isEmpty() ? config : config.keepingIn(Path.of(args[5]));
        config = args[6].isEmpty() ? config : config.recordingTo(Path.of(args[6]));
        try (var node = Node.start(config);
                var orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            say("up " + node.self().incarnation());
            node.failure().thenAccept(why -> say("failed " + why.toString().replace('\n', ' ')));
            var puppet = new Puppet(node);
            for (var order = orders.readLine(); order != null; order = orders.readLine()) {
                puppet.obey(order.split(" ", 2)[0], order.split(" ", 2)[1]);
            }
        } catch (RuntimeException refused) {
            say("refused " + refused.getMessage());
        }
        System.exit(0);
    }

    private void obey(String verb, String name) {
        switch (verb) {
            case "acquire" -> {
                var ticket = node.acquire(name, "test");
                tickets.put(name, ticket);
                ticket.granted().thenAccept(fence -> say("granted " + name + " " + fence));
                ticket.ended().thenAccept(end -> say((end == Ticket.End.LOST ? "lost " : "released ") + name));
            }
            case "release" -> node.release(name, tickets.get(name));
            case "peers" -> say("peers " + node.present().size() + lives());
            case "campaign" -> node.campaign(name);
            case "leader" -> node.accounts().thenAccept(all -> say(leader(name, all)));
            default -> throw new IllegalArgumentException(verb);
        }
    }

    private String lives() {
        return node.present().stream().map(peer -> " " + peer.incarnation()).collect(Collectors.joining());
    }

    private static String leader(String name, List<Account> accounts) {
        return accounts.stream()
                .filter(one -> one.group().name().equals(name))
                .map(one -> "leader " + name + " n" + one.leader() + " " + one.term())
                .findFirst()
                .orElse("leader " + name + " n0 0");
    }

    private static synchronized void say(String what) {
        OUT.println(what);
    }
}
