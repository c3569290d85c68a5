package habemus.service.node;

import habemus.client.Habemus;
import habemus.client.Options;
import habemus.protocol.NodeId;
import habemus.service.session.FencedConfig;
import habemus.service.session.FencedNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Starts and ends a node of each kind, so that their classes are loaded once. */
final class Training {

    private Training() {}

    /** A folder of its own. */
    public static void main(String[] args) throws Exception {
        Clusters.start(1, "central", "bully", config -> config).forEach(Node::close);
        var folder = Files.createDirectories(Path.of(args[0]));
        var config = FencedConfig.of(Clusters.members(1), new NodeId(1), Optional.of(folder));
        try (var node = FencedNode.start(config)) {
            try (var habemus = Habemus.connect(Options.to(node.door()))) {
                habemus.lock("x").acquire().close();
            }
        }
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
        System.exit(0);
    }
}
