package habemus.service.transport;

import java.util.function.Predicate;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.protocols.PerDestinationBundler;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.jgroups.util.PassRegularMessagesUpDirectly;

/** Removes thread hops between JGroups and the socket: each hop costs a wake-up. */
final class DispatchTuning {

    private DispatchTuning() {}

    /** Delivers a message on the thread that read it. */
    static final class DirectDelivery extends PassRegularMessagesUpDirectly {

        /** Delivers a message of a node to itself on another thread, since the sender may hold a lock. */
        @Override
        public boolean loopback(Message message, boolean oob) {
            return super.loopback(message, true);
        }
    }

    /** Sends on the calling thread if the connection exists; otherwise queues the message. */
    static final class DirectSend extends PerDestinationBundler {

        private final Predicate<Address> reaches;

        DirectSend(Predicate<Address> reaches) {
            this.reaches = reaches;
        }

        @Override
        public void send(Message message) throws Exception {
            if (message.dest() == null || !reaches.test(message.dest())) {
                super.send(message);
                return;
            }
            if (message.getSrc() == null) {
                message.setSrc(transport.getAddress());
            }
            sendSingle(message.dest(), message, new ByteArrayDataOutputStream(message.size()));
        }
    }
}
