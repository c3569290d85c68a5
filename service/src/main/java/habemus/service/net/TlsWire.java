package habemus.service.net;

import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCP;

/**
 * A {@link Wire} that speaks TLS. Whoever sends puts a message into the queue of its connection, for a thread that may
 * be held up by one who stands still.
 */
final class TlsWire extends TCP {

    private static final short ID = 1_705;
    private static final int QUEUE = 4_096; // messages that wait for a connection; what does not fit is sent again

    static {
        ClassConfigurator.addProtocol(ID, TlsWire.class);
    }

    TlsWire() {
        nonBlockingSends(true);
        maxSendQueue(QUEUE);
        message_processing_policy = null; // else its name would decide
        msg_processing_policy = new Shortcuts.Upward();
        bundler = new Shortcuts.Downward(this::reaches);
    }

    private boolean reaches(Address member) {
        var there = getPhysicalAddressFromCache(member);
        return srv != null && there != null && srv.connectionEstablishedTo(there);
    }
}
