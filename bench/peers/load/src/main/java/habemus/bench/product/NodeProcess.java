package habemus.bench.product;

import java.util.List;
import java.util.Map;

/**
 * The command line of a node.
 *
 * @param environment additional environment variables
 * @param port its client port on loopback
 */
public record NodeProcess(List<String> command, Map<String, String> environment, int port) {

    public NodeProcess(List<String> command, int port) {
        this(command, Map.of(), port);
    }
}
