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
 * An algorithm node as a process. It reads commands from its standard input and prints events.
 *
 * <pre>
 *   acquire NAME     granted NAME FENCE, later maybe lost NAME
 *   release NAME
 *   campaign NAME
 *   peers -          peers K L…: number and incarnations of the connected peers
 *   leader NAME      leader NAME nK TERM
 * </pre>
 */
@SuppressWarnings("FutureReturnValueIgnored") // the test waits for the output
final class AlgorithmNodeMain {

    private static final PrintStream OUT =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private final AlgorithmNode node;
    private final Map<String, Ticket> tickets = new HashMap<>();

    private AlgorithmNodeMain(AlgorithmNode node) {
        this.node = node;
    }

    /** @param args members, node number, lock and election algorithm, startup wait in seconds, data and trace folder */
    public static void main(String[] args) throws IOException {
        var config = AlgorithmNodeConfig.of(
                        Member.parse(args[0]), new NodeId(Integer.parseInt(args[1])), args[2], args[3])
                .withStartupWait(Duration.ofSeconds(Long.parseLong(args[4])));
        config = args[5].isEmpty() ? config : config.withDataFolder(Path.of(args[5]));
        config = args[6].isEmpty() ? config : config.withTraceFolder(Path.of(args[6]));
        try (var node = AlgorithmNode.start(config);
                var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            print("up " + node.self().incarnation());
            node.failure()
                    .thenAccept(failure -> print("failed " + failure.toString().replace('\n', ' ')));
            var main = new AlgorithmNodeMain(node);
            for (var command = commands.readLine(); command != null; command = commands.readLine()) {
                main.execute(command.split(" ", 2)[0], command.split(" ", 2)[1]);
            }
        } catch (RuntimeException failed) {
            print("refused " + failed.getMessage());
        }
        System.exit(0);
    }

    private void execute(String verb, String name) {
        switch (verb) {
            case "acquire" -> {
                var ticket = node.acquire(name, "test");
                tickets.put(name, ticket);
                ticket.granted().thenAccept(fence -> print("granted " + name + " " + fence));
                ticket.ended().thenAccept(end -> print((end == Ticket.End.LOST ? "lost " : "released ") + name));
            }
            case "release" -> node.release(name, tickets.get(name));
            case "peers" -> print("peers " + node.presentPeers().size() + incarnations());
            case "campaign" -> node.campaign(name);
            case "leader" -> node.statuses().thenAccept(statuses -> print(leader(name, statuses)));
            default -> throw new IllegalArgumentException(verb);
        }
    }

    private String incarnations() {
        return node.presentPeers().stream()
                .map(peer -> " " + peer.incarnation())
                .collect(Collectors.joining());
    }

    private static String leader(String name, List<GroupStatus> statuses) {
        return statuses.stream()
                .filter(status -> status.group().name().equals(name))
                .map(status -> "leader " + name + " n" + status.leader() + " " + status.term())
                .findFirst()
                .orElse("leader " + name + " n0 0");
    }

    private static synchronized void print(String line) {
        OUT.println(line);
    }
}
