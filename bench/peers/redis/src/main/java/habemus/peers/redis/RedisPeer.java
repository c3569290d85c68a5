package habemus.peers.redis;

import habemus.peers.Drive;
import habemus.peers.Node;
import habemus.peers.Peer;
import habemus.peers.Site;
import java.io.IOException;
import java.util.List;
import org.redisson.Redisson;
import org.redisson.config.Config;

/** One node of Redis that syncs every write, with Redisson's plain lock, which serves whoever comes first. */
final class RedisPeer implements Peer {

    private static final int CLIENTS = 0;

    private final Site site;

    private RedisPeer(Site site) {
        this.site = site;
    }

    public static void main(String... args) throws Exception {
        Drive.run(RedisPeer::new, args);
    }

    @Override
    public List<Node> nodes() throws IOException {
        var port = Integer.toString(site.port(0, CLIENTS));
        var folder = site.folder(0).toString();
        var command = List.of(
                "redis-server",
                "--port",
                port,
                "--bind",
                "127.0.0.1",
                "--dir",
                folder,
                "--save",
                "",
                "--appendonly",
                "yes",
                "--appendfsync",
                "always");
        return List.of(new Node(command, site.port(0, CLIENTS)));
    }

    @Override
    public Session connect() {
        var config = new Config();
        config.useSingleServer().setAddress("redis://127.0.0.1:" + site.port(0, CLIENTS));
        var client = Redisson.create(config);
        return new Session() {
            @Override
            public Lock lock(String name) {
                var lock = client.getLock(name);
                return () -> {
                    lock.lock();
                    return lock::unlock;
                };
            }

            @Override
            public void close() {
                client.shutdown();
            }
        };
    }
}
