package habemus.service.net;

import java.nio.channels.SelectionKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jgroups.Address;
import org.jgroups.blocks.cs.NioConnection;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCP_NIO2;

/**
 * TCP on which nobody ever waits for another node: whoever sends writes as much as fits now, and one thread, which also
 * reads for all, writes the rest. What is too much is dropped, and sent again by who keeps account of it.
 */
final class Wire extends TCP_NIO2 {

    private static final short ID = 1_703;
    private static final int QUEUE = 4_096; // messages that wait for a connection
    private static final long MILLION = 1_000_000;

    static {
        ClassConfigurator.addProtocol(ID, Wire.class);
    }

    private final Map<Address, Long> knocking = new ConcurrentHashMap<>(); // since when nobody has opened

    Wire() {
        max_send_buffers = QUEUE;
        message_processing_policy = null; // else its name would decide
        msg_processing_policy = new Shortcuts.Upward();
        bundler = new Shortcuts.Downward(member -> getPhysicalAddressFromCache(member) != null);
    }

    @Override
    public void send(Address there, byte[] data, int offset, int length) throws Exception {
        if (there == null || there.equals(server.localAddress())) {
            super.send(there, data, offset, length);
            return;
        }
        try {
            giveUp(there);
            super.send(there, data, offset, length);
            writeRest(connection(there).key());
        } catch (Exception unreachable) {
            log.trace("%s: cannot reach %s: %s", local_addr, there, unreachable);
        }
    }

    private NioConnection connection(Address there) throws Exception {
        return (NioConnection) server.getConnection(there);
    }

    /** Else the system would ask less and less often, and not notice for long that somebody is there again. */
    private void giveUp(Address there) throws Exception {
        var connection = connection(there);
        if (connection.isConnected()) {
            knocking.remove(there);
        } else if (System.nanoTime() - knocking.computeIfAbsent(there, first -> System.nanoTime())
                > sock_conn_timeout * MILLION) {
            knocking.remove(there);
            server.closeConnection(connection);
        }
    }

    /** The thread that waits does not see by itself that it has something to write. */
    private static void writeRest(SelectionKey key) {
        if (key != null && key.isValid() && (key.interestOps() & SelectionKey.OP_WRITE) != 0) {
            key.selector().wakeup();
        }
    }
}
