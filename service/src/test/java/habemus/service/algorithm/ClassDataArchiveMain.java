package habemus.service.algorithm;

import habemus.client.ClientOptions;
import habemus.client.Habemus;
import habemus.protocol.NodeId;
import habemus.service.server.LockServerConfig;
import habemus.service.server.LockServerNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Starts and stops a node of each kind, to record their classes in the archive of {@link TestJvm}. */
final class ClassDataArchiveMain {

    private ClassDataArchiveMain() {}

    /** @param args a new folder */
    public static void main(String[] args) throws Exception {
        TestClusters.start(1, "central", "bully", config -> config).forEach(AlgorithmNode::close);
        var folder = Files.createDirectories(Path.of(args[0]));
        var config = LockServerConfig.of(TestClusters.members(1), new NodeId(1), Optional.of(folder));
        try (var node = LockServerNode.start(config)) {
            try (var habemus = Habemus.connect(ClientOptions.to(node.clientAddress()))) {
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
