package habemus.harness.faults;

import static org.junit.jupiter.api.Assumptions.abort;

import habemus.harness.site.NetworkNamespaces;
import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.IntStream;

/** A network of its own for every node, with wires between them that can be cut. */
final class TestNamespaces extends NetworkNamespaces {

    private static final int PORT = 7600;

    private final int nodes;

    /** Ends the test, saying why, where networks cannot be made. */
    TestNamespaces(int nodes) {
        super(nodes);
        this.nodes = nodes;
        try {
            create();
        } catch (IllegalStateException refused) {
            var why = "NETWORK FAULTS ARE NOT TESTED: namespaces need root, ip and nft: " + refused.getMessage();
            System.getLogger(TestNamespaces.class.getName()).log(System.Logger.Level.WARNING, why);
            abort(why);
        }
    }

    List<Member> members() {
        return IntStream.rangeClosed(1, nodes)
                .mapToObj(i -> new Member(new NodeId(i), new InetSocketAddress(address(i), PORT)))
                .toList();
    }
}
