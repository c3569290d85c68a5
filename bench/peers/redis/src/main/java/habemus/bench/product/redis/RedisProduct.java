package habemus.bench.product.redis;

import habemus.bench.product.NodeProcess;
import habemus.bench.product.Product;
import habemus.bench.product.ProductDriver;
import habemus.bench.product.RunFolder;
import java.io.IOException;
import java.util.List;
import org.redisson.Redisson;
import org.redisson.config.Config;

/** One Redis node that syncs every write, with Redisson's plain lock, which has no queue. */
final class RedisProduct implements Product {

    private static final int CLIENTS = 0;

    private final RunFolder runFolder;

    private RedisProduct(RunFolder runFolder) {
        this.runFolder = runFolder;
    }

    public static void main(String... args) throws Exception {
        ProductDriver.run(RedisProduct::new, args);
    }

    @Override
    public List<NodeProcess> nodes() throws IOException {
        var port = Integer.toString(runFolder.port(0, CLIENTS));
        var folder = runFolder.folder(0).toString();
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
        return List.of(new NodeProcess(command, runFolder.port(0, CLIENTS)));
    }

    @Override
    public Session connect() {
        var config = new Config();
        config.useSingleServer().setAddress("redis://127.0.0.1:" + runFolder.port(0, CLIENTS));
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
