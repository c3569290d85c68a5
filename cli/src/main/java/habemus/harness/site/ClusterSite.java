package habemus.harness.site;

import java.util.List;

/** Where the nodes of a fleet are: all in the network of this machine, or each in one of its own. */
public interface ClusterSite extends AutoCloseable {

    String host(int node);

    /** The first of those at which a node listens. */
    int port(int node);

    /** What a command begins with that is to run where this node is. */
    List<String> commandPrefix(int node);

    @Override
    void close();
}
