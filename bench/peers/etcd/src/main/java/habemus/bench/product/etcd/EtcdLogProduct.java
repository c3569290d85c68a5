package habemus.bench.product.etcd;

import habemus.bench.product.NodeProcess;
import habemus.bench.product.Product;
import habemus.bench.product.ProductDriver;
import habemus.bench.product.RunFolder;
import habemus.client.EmbeddedNode;
import habemus.client.Habemus;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Habemus with its log on etcd. Each connection is a process of an application, with a node of its own. */
final class EtcdLogProduct implements Product {

    private final EtcdProduct etcd;

    private EtcdLogProduct(RunFolder folder) {
        etcd = new EtcdProduct(folder);
    }

    public static void main(String... args) throws Exception {
        ProductDriver.run(EtcdLogProduct::new, args);
    }

    @Override
    public List<NodeProcess> nodes() throws IOException {
        return etcd.nodes();
    }

    private record Client(Habemus habemus) implements Session {

        @Override
        public Lock lock(String name) {
            var lock = habemus.lock(name);
            return () -> lock.acquire()::close;
        }

        @Override
        public void close() {
            habemus.close();
        }
    }

    @Override
    public Session connect() {
        return new Client(Habemus.embedded(EmbeddedNode.on("etcd:" + String.join(",", etcd.clientAddresses()))));
    }

    @Override
    public OptionalInt leader() throws ExecutionException, InterruptedException, TimeoutException {
        return etcd.leader();
    }
}
