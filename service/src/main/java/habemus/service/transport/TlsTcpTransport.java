package habemus.service.transport;

import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCP;

/**
 * A {@link NonBlockingTcpTransport} that speaks TLS. Whoever sends puts a message into the queue of its connection, for a thread that may
 * be held up by one who stands still.
 */
final class TlsTcpTransport extends TCP {

    private static final short ID = 1_705;
    private static final int SEND_QUEUE_MESSAGES =
            4_096; // messages that wait for a connection; what does not fit is sent again

    static {
        ClassConfigurator.addProtocol(ID, TlsTcpTransport.class);
    }

    TlsTcpTransport() {
        nonBlockingSends(true);
        maxSendQueue(SEND_QUEUE_MESSAGES);
        message_processing_policy = null; // else its name would decide
        msg_processing_policy = new DispatchTuning.DirectDelivery();
        bundler = new DispatchTuning.DirectSend(this::reaches);
    }

    private boolean reaches(Address member) {
        var there = getPhysicalAddressFromCache(member);
        return srv != null && there != null && srv.connectionEstablishedTo(there);
    }
}
