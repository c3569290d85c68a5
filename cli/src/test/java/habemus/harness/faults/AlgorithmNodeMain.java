package habemus.harness.faults;

import habemus.protocol.NodeId;
import habemus.service.algorithm.AlgorithmNode;
import habemus.service.algorithm.AlgorithmNodeConfig;
import habemus.service.algorithm.GroupStatus;
import habemus.service.algorithm.Ticket;
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
final class AlgorithmNodeMain {

    private static final PrintStream OUT =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private final AlgorithmNode algorithmNode;
    private final Map<String, Ticket> tickets = new HashMap<>();

    private AlgorithmNodeMain(AlgorithmNode algorithmNode) {
        this.algorithmNode = algorithmNode;
    }

    /** The cluster, the node, the locks' algorithm, the elections' algorithm, then folders: data, record. */
    public static void main(String[] args) throws IOException {
        var config = AlgorithmNodeConfig.of(
                        Member.parse(args[0]), new NodeId(Integer.parseInt(args[1])), args[2], args[3])
                .withStartupWait(Duration.ofSeconds(Long.parseLong(args[4])));
        config = args[5].isEmpty() ? config : config.withDataFolder(Path.of(args[5]));
        config = args[6].isEmpty() ? config : config.withTraceFolder(Path.of(args[6]));
        try (var algorithmNode = AlgorithmNode.start(config);
                var orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            print("up " + algorithmNode.self().incarnation());
            algorithmNode
                    .failure()
                    .thenAccept(why -> print("failed " + why.toString().replace('\n', ' ')));
            var algorithmNodeMain = new AlgorithmNodeMain(algorithmNode);
            for (var order = orders.readLine(); order != null; order = orders.readLine()) {
                algorithmNodeMain.execute(order.split(" ", 2)[0], order.split(" ", 2)[1]);
            }
        } catch (RuntimeException refused) {
            print("refused " + refused.getMessage());
        }
        System.exit(0);
    }

    private void execute(String verb, String name) {
        switch (verb) {
            case "acquire" -> {
                var ticket = algorithmNode.acquire(name, "test");
                tickets.put(name, ticket);
                ticket.granted().thenAccept(fence -> print("granted " + name + " " + fence));
                ticket.ended().thenAccept(end -> print((end == Ticket.End.LOST ? "lost " : "released ") + name));
            }
            case "release" -> algorithmNode.release(name, tickets.get(name));
            case "peers" -> print("peers " + algorithmNode.presentPeers().size() + incarnations());
            case "campaign" -> algorithmNode.campaign(name);
            case "leader" -> algorithmNode.statuses().thenAccept(all -> print(leader(name, all)));
            default -> throw new IllegalArgumentException(verb);
        }
    }

    private String incarnations() {
        return algorithmNode.presentPeers().stream()
                .map(peerIncarnation -> " " + peerIncarnation.incarnation())
                .collect(Collectors.joining());
    }

    private static String leader(String name, List<GroupStatus> groupStatuses) {
        return groupStatuses.stream()
                .filter(one -> one.group().name().equals(name))
                .map(one -> "leader " + name + " n" + one.leader() + " " + one.term())
                .findFirst()
                .orElse("leader " + name + " n0 0");
    }

    private static synchronized void print(String what) {
        OUT.println(what);
    }
}
