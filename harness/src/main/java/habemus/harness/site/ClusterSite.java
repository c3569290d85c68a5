package habemus.harness.site;

import java.util.List;

/** Where the nodes of a cluster run: on ports of this machine, or each in a network namespace of its own. */
public interface ClusterSite extends AutoCloseable {

    String host(int node);

    /** The lowest port of a node. Its HTTP API and its clients use higher ones. */
    int port(int node);

    /** The words to put before a command so that it runs where this node is. */
    List<String> commandPrefix(int node);

    @Override
    void close();
}
