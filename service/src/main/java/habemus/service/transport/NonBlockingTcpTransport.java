package habemus.service.transport;

import java.nio.channels.SelectionKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jgroups.Address;
import org.jgroups.blocks.cs.NioConnection;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCP_NIO2;

/**
 * JGroups TCP transport whose senders never block. A sender writes what fits into the socket buffer; the selector
 * thread writes the rest. If the queue of a connection is full, messages are dropped and retransmitted by JGroups.
 */
final class NonBlockingTcpTransport extends TCP_NIO2 {

    private static final short ID = 1_703;
    private static final int SEND_QUEUE_MESSAGES = 4_096; // per connection
    private static final long NANOS_PER_MILLI = 1_000_000;

    static {
        ClassConfigurator.addProtocol(ID, NonBlockingTcpTransport.class);
    }

    private final Map<Address, Long> connectingSinceNanos = new ConcurrentHashMap<>();

    NonBlockingTcpTransport() {
        max_send_buffers = SEND_QUEUE_MESSAGES;
        message_processing_policy = null; // otherwise JGroups creates the policy by this name
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
            log.trace("send failed node=%s receiver=%s cause=%s", local_addr, there, unreachable);
        }
    }

    private NioConnection connection(Address there) throws Exception {
        return (NioConnection) server.getConnection(there);
    }

    /** Limits the time of a connection attempt: the kernel retries with back-off, and would notice a restart late. */
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

    /** The selector does not notice a change of the interest set by itself. */
    private static void wakeWriter(SelectionKey key) {
        if (key != null && key.isValid() && (key.interestOps() & SelectionKey.OP_WRITE) != 0) {
            key.selector().wakeup();
        }
    }
}
