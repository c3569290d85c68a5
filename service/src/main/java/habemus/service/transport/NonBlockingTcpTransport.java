package habemus.service.transport;

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
final class NonBlockingTcpTransport extends TCP_NIO2 {

    private static final short ID = 1_703;
    private static final int SEND_QUEUE_MESSAGES = 4_096; // messages that wait for a connection
    private static final long NANOS_PER_MILLI = 1_000_000;

    static {
        ClassConfigurator.addProtocol(ID, NonBlockingTcpTransport.class);
    }

    private final Map<Address, Long> connectingSinceNanos = new ConcurrentHashMap<>(); // since when nobody has opened

    NonBlockingTcpTransport() {
        max_send_buffers = SEND_QUEUE_MESSAGES;
        message_processing_policy = null; // else its name would decide
        msg_processing_policy = new DispatchTuning.DirectDelivery();
        bundler = new DispatchTuning.DirectSend(member -> getPhysicalAddressFromCache(member) != null);
    }

    @Override
    public void send(Address there, byte[] data, int offset, int length) throws Exception {
        if (there == null || there.equals(server.localAddress())) {
            super.send(there, data, offset, length);
            return;
        }
        try {
            closeIfNotConnected(there);
            super.send(there, data, offset, length);
            wakeWriter(connection(there).key());
        } catch (Exception unreachable) {
            log.trace("%s: cannot reach %s: %s", local_addr, there, unreachable);
        }
    }

    private NioConnection connection(Address there) throws Exception {
        return (NioConnection) server.getConnection(there);
    }

    /** Else the system would ask less and less often, and not notice for long that somebody is there again. */
    private void closeIfNotConnected(Address there) throws Exception {
        var connection = connection(there);
        if (connection.isConnected()) {
            connectingSinceNanos.remove(there);
        } else if (System.nanoTime() - connectingSinceNanos.computeIfAbsent(there, first -> System.nanoTime())
                > sock_conn_timeout * NANOS_PER_MILLI) {
            connectingSinceNanos.remove(there);
            server.closeConnection(connection);
        }
    }

    /** The thread that waits does not see by itself that it has something to write. */
    private static void wakeWriter(SelectionKey key) {
        if (key != null && key.isValid() && (key.interestOps() & SelectionKey.OP_WRITE) != 0) {
            key.selector().wakeup();
        }
    }
}
