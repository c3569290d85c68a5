package habemus.service.session;

import habemus.fenced.Hosting;
import habemus.service.net.Member;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Starts nodes for clients that want one in their JVM. */
public final class Host implements Hosting {

    /** Of a node that is alone, and talks to no other. */
    private static final String NOWHERE = "=127.0.0.1:7601";

    /** For {@link java.util.ServiceLoader}. */
    public Host() {}

    @Override
    public Hosted host(Plan plan) {
        var cluster = plan.cluster().isEmpty() ? plan.node() + NOWHERE : String.join(",", plan.cluster());
        var data = Optional.of(plan.data()).filter(folder -> !folder.isEmpty()).map(Path::of);
        var config = FencedConfig.of(Member.parse(cluster), Member.node(plan.node()), data);
        var door = door(plan.door());
        var node = FencedNode.start(config.at(door, config.http()));
        return new Hosted() {
            @Override
            public List<String> doors() {
                return List.of(node.door());
            }

            @Override
            public void close() {
                node.close();
            }
        };
    }

    /** Unlike elsewhere, with port 0 for any. */
    private static InetSocketAddress door(String text) {
        return text.endsWith(":0")
                ? new InetSocketAddress(text.substring(0, text.length() - 2), 0)
                : Member.address(text, text);
    }
}
