package habemus.bench.product.postgresql;

import habemus.bench.product.NodeProcess;
import habemus.bench.product.Product;
import habemus.bench.product.ProductDriver;
import habemus.bench.product.RunFolder;
import habemus.client.EmbeddedNode;
import habemus.client.Habemus;
import java.io.IOException;
import java.util.List;

/** Habemus with its log in PostgreSQL. Each connection is a node within the JVM of the clients. */
final class EmbeddedProduct implements Product {

    private final DatabaseProcess database;

    private EmbeddedProduct(RunFolder runFolder) {
        database = new DatabaseProcess(runFolder);
    }

    public static void main(String... args) throws Exception {
        ProductDriver.run(EmbeddedProduct::new, args);
    }

    @Override
    public List<NodeProcess> nodes() throws IOException {
        return database.nodes();
    }

    @Override
    public Session connect() {
        var habemus = Habemus.embedded(EmbeddedNode.on(database.url()));
        return new Session() {
            @Override
            public Lock lock(String name) {
                var lock = habemus.lock(name);
                return () -> {
                    var grant = lock.acquire();
                    return grant::release;
                };
            }

            @Override
            public void close() {
                habemus.close();
            }
        };
    }
}
