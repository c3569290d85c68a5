package habemus.service.net;

import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.PerDestinationBundler;
import org.jgroups.protocols.TCP;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.jgroups.util.PassRegularMessagesUpDirectly;

/**
 * TCP with as few threads in the way of a message as possible, since each of them has to be woken. Whoever sends puts
 * it into the queue of the connection itself; whoever reads it passes it up itself. Nobody waits for somebody who
 * stands still, or cannot be reached: that is what the threads are for that are left.
 */
final class Wire extends TCP {

    private static final short ID = 1_703;
    private static final int QUEUE = 4_096; // messages that wait for a connection; what does not fit is sent again

    static {
        ClassConfigurator.addProtocol(ID, Wire.class);
    }

    Wire() {
        nonBlockingSends(true);
        maxSendQueue(QUEUE);
        message_processing_policy = null; // else its name would decide
        msg_processing_policy = new Upward();
        bundler = new Downward();
    }

    private boolean reaches(Address member) {
        var there = getPhysicalAddressFromCache(member);
        return srv != null && there != null && srv.connectionEstablishedTo(there);
    }

    private static final class Upward extends PassRegularMessagesUpDirectly {

        /** What a node says to itself comes back by another thread: whoever says it may not be done. */
        @Override
        public boolean loopback(Message message, boolean oob) {
            return super.loopback(message, true);
        }
    }

    private final class Downward extends PerDestinationBundler {

        @Override
        public void send(Message message) throws Exception {
            if (message.dest() == null || !reaches(message.dest())) {
                super.send(message);
                return;
            }
            if (message.getSrc() == null) {
                message.setSrc(Wire.this.local_addr);
            }
            sendSingle(message.dest(), message, new ByteArrayDataOutputStream(message.size()));
        }
    }
}
