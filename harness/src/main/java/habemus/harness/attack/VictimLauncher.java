package habemus.harness.attack;

import habemus.client.ClientOptions;
import habemus.harness.HarnessException;
import habemus.harness.cluster.ControlledCluster;
import habemus.harness.cluster.NodeCommandLine;
import habemus.harness.cluster.NodeSettings;
import habemus.harness.cluster.ProcessCluster;
import habemus.harness.site.ClusterSite;
import habemus.harness.site.PortBlock;
import habemus.service.server.AccessPolicy;
import habemus.service.server.LockServerConfig;
import habemus.service.transport.Member;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Starts the nodes that are attacked, on loopback addresses only.
 *
 * @param commandLines builds the command of a node with further options of {@code habemus serve}
 * @param folder for data, keys and policies
 */
public record VictimLauncher(Function<List<String>, NodeCommandLine> commandLines, Path folder) {

    static final int FEW_FILES = 200;
    static final int SMALL_HEAP_MB = 192;

    private static final int NODES = 3;
    private static final String TOKEN = "honest-and-random-0123456789";

    /**
     * The ports of this machine, for processes with little of something.
     *
     * @param words before the command of each node
     */
    private record LimitedSite(ClusterSite ports, List<String> words) implements ClusterSite {

        @Override
        public String host(int node) {
            return ports.host(node);
        }

        @Override
        public int port(int node) {
            return ports.port(node);
        }

        @Override
        public List<String> commandPrefix(int node) {
            return words;
        }

        @Override
        public void close() {
            ports.close();
        }
    }

    /** @throws HarnessException if the nodes do not start */
    Victim start(Attack.Setting setting) throws InterruptedException {
        return switch (setting) {
            case OPEN -> start("open", NODES, List.of(), Optional.empty());
            case SECURED -> start("secured", 1, List.of(), Optional.of(AttackCertificates.create(folder)));
            case FEW_FILES ->
                start(
                        "few-files",
                        1,
                        List.of("sh", "-c", "ulimit -n " + FEW_FILES + " && exec \"$@\"", "sh"),
                        Optional.empty());
            case SMALL_HEAP ->
                start("small-heap", 1, List.of("env", "JDK_JAVA_OPTIONS=-Xmx" + SMALL_HEAP_MB + "m"), Optional.empty());
            case IN_PROCESS -> throw new IllegalArgumentException("an attack in this process needs no node");
        };
    }

    private Victim start(String name, int count, List<String> prefix, Optional<AttackCertificates> certificates) {
        var site = new LimitedSite(PortBlock.reserve(count), prefix);
        var settings = NodeSettings.DEFAULT.withFolders(Optional.of(folder.resolve(name)), Optional.empty());
        var commandLine =
                commandLines.apply(certificates.map(this::securityOptions).orElse(List.of()));
        var cluster = new ControlledCluster(new ProcessCluster(count, site, commandLine, settings));
        try {
            cluster.start();
            var members = new ArrayList<Member>();
            for (int node = 1; node <= count; node++) {
                members.addAll(Member.parse("n" + node + "=" + site.host(node) + ":" + site.port(node)));
            }
            return victim(members, certificates, Optional.of(cluster));
        } catch (RuntimeException failed) {
            cluster.close();
            throw failed;
        }
    }

    /**
     * A cluster that runs already.
     *
     * @throws HarnessException if one of its addresses is not a loopback address
     */
    public static void requireLoopback(List<Member> members) {
        for (Member member : members) {
            if (member.address().isUnresolved()
                    || !member.address().getAddress().isLoopbackAddress()) {
                throw new HarnessException(
                        "only loopback addresses may be attacked, was " + member,
                        "leave --cluster out: the command starts a cluster of its own");
            }
        }
    }

    static Victim running(List<Member> members) {
        requireLoopback(members);
        return victim(members, Optional.empty(), Optional.empty());
    }

    private static Victim victim(
            List<Member> members, Optional<AttackCertificates> certificates, Optional<ControlledCluster> cluster) {
        var nodes = members.stream().map(VictimLauncher::node).toList();
        var options = ClientOptions.to(nodes.stream()
                .map(node -> "127.0.0.1:" + node.client().getPort())
                .toArray(String[]::new));
        return new Victim(
                nodes,
                certificates
                        .map(files -> options.withToken(TOKEN).withTls(files.clientOptions()))
                        .orElse(options),
                certificates,
                cluster);
    }

    private static Victim.Node node(Member member) {
        var peer = member.address();
        return new Victim.Node(
                peer,
                new InetSocketAddress(peer.getAddress(), peer.getPort() + LockServerConfig.CLIENT_PORT_OFFSET),
                new InetSocketAddress(peer.getAddress(), peer.getPort() + LockServerConfig.HTTP_PORT_OFFSET));
    }

    private List<String> securityOptions(AttackCertificates files) {
        var policy = files.writePrivately("policy", AccessPolicy.hashToken(TOKEN) + " honest use,inspect:*");
        return List.of(
                "--keystore",
                files.keystore(AttackCertificates.NODE).toString(),
                "--truststore",
                files.truststore().toString(),
                "--password-file",
                files.folder().resolve("password").toString(),
                "--policy",
                policy.toString());
    }
}
