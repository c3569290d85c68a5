package habemus.bench.product;

import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A product beside others: how its nodes are started, who of them leads, and how a client connects. */
public interface Product {

    /** One client's way to one lock, used by one thread. What the library throws is counted, and tried again. */
    interface Lock {

        /** Waits until it is granted. */
        Grant acquire() throws Exception;
    }

    /** A lock that is held. */
    interface Grant {

        /** Returns when the service knows. */
        void release() throws Exception;
    }

    /** A connection that several clients may share. */
    interface Session extends AutoCloseable {

        /** @param name of the lock, for a client of its own */
        Lock lock(String name) throws Exception;

        @Override
        void close();
    }

    /** How they are started, as many as the site has; what they need on disk is written now. */
    List<NodeProcess> nodes() throws IOException;

    /** @throws Exception if the nodes are not ready; it is tried again for a while */
    Session connect() throws Exception;

    /** Which node leads, from 0; nothing if nobody can take its place. */
    default OptionalInt leader() throws Exception {
        return OptionalInt.empty();
    }

    /** How many entries its log has had so far; nothing if it cannot tell. */
    default OptionalLong logEntries() throws Exception {
        return OptionalLong.empty();
    }
}
