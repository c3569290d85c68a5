package habemus.bench.product;

import java.util.List;
import java.util.Map;

/**
 * A node that is a process.
 *
 * @param environment what it gets beyond what everybody has
 * @param port where it listens for clients on loopback
 */
public record NodeProcess(List<String> command, Map<String, String> environment, int port) {

    public NodeProcess(List<String> command, int port) {
        this(command, Map.of(), port);
    }
}
