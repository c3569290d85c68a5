package habemus.harness.faults;

import static org.junit.jupiter.api.Assumptions.abort;

import habemus.harness.site.NetworkNamespaces;
import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.IntStream;

/** Network namespaces for the nodes of a test. Aborts the test if this machine cannot create them. */
final class TestNamespaces extends NetworkNamespaces {

    private static final int PORT = 7600;

    private final int nodes;

    TestNamespaces(int nodes) {
        super(nodes);
        this.nodes = nodes;
        try {
            create();
        } catch (IllegalStateException failed) {
            var reason = "NETWORK FAULTS ARE NOT TESTED: namespaces need root, ip and nft: " + failed.getMessage();
            System.getLogger(TestNamespaces.class.getName()).log(System.Logger.Level.WARNING, reason);
            abort(reason);
        }
    }

    List<Member> members() {
        return IntStream.rangeClosed(1, nodes)
                .mapToObj(i -> new Member(new NodeId(i), new InetSocketAddress(address(i), PORT)))
                .toList();
    }
}
