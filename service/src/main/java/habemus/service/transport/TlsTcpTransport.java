package habemus.service.transport;

import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCP;

/**
 * JGroups TCP transport with TLS. A sender adds its message to the queue of the connection; only the writer thread of
 * that connection blocks if the receiver is paused.
 */
final class TlsTcpTransport extends TCP {

    private static final short ID = 1_705;
    private static final int SEND_QUEUE_MESSAGES =
            4_096; // per connection; further messages are dropped and retransmitted

    static {
        ClassConfigurator.addProtocol(ID, TlsTcpTransport.class);
    }

    TlsTcpTransport() {
        nonBlockingSends(true);
        maxSendQueue(SEND_QUEUE_MESSAGES);
        message_processing_policy = null; // otherwise JGroups creates the policy by this name
        msg_processing_policy = new DispatchTuning.DirectDelivery();
        bundler = new DispatchTuning.DirectSend(this::reaches);
    }

    private boolean reaches(Address member) {
        var there = getPhysicalAddressFromCache(member);
        return srv != null && there != null && srv.connectionEstablishedTo(there);
    }
}
