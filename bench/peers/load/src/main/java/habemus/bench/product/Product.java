package habemus.bench.product;

import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A measured product: how its nodes start, which node leads, and how a client connects. */
public interface Product {

    /** One client's lock, used by one thread. Exceptions are counted, and the cycle is retried. */
    interface Lock {

        /** Waits for the grant. */
        Grant acquire() throws Exception;
    }

    /** A held lock. */
    interface Grant {

        /** Returns when the service has released the lock. */
        void release() throws Exception;
    }

    /** A connection that several clients may share. */
    interface Session extends AutoCloseable {

        /** @param name name of the lock; each call returns a separate client */
        Lock lock(String name) throws Exception;

        @Override
        void close();
    }

    /** The nodes to start, as many as the run folder says. Writes their configuration files. */
    List<NodeProcess> nodes() throws IOException;

    /** @throws Exception if the nodes are not ready; the driver retries for a while */
    Session connect() throws Exception;

    /** The index of the leader, from 0; empty if the product has no failover. */
    default OptionalInt leader() throws Exception {
        return OptionalInt.empty();
    }

    /** The number of log entries so far; empty if the product does not report it. */
    default OptionalLong logEntries() throws Exception {
        return OptionalLong.empty();
    }
}
