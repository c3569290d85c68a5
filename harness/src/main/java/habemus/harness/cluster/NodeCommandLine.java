package habemus.harness.cluster;

import java.util.List;

/** Builds the command that starts a node as a child process. The command line implements it, with its own options. */
@FunctionalInterface
public interface NodeCommandLine {

    /**
     * @param node name of the node, such as {@code n1}
     * @param members of the cluster, such as {@code n1=127.0.0.1:7601,n2=127.0.0.1:7602}
     * @return a command whose process prints one line when it serves clients, and ends when its standard input does
     */
    List<String> command(String node, String members, NodeSettings settings);

    /**
     * As {@link #command}, for a node that joins the running cluster.
     *
     * @param members of the start, and the node itself
     */
    default List<String> joinCommand(String node, String members, NodeSettings settings) {
        throw new UnsupportedOperationException("no node joins");
    }
}
