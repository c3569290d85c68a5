package habemus.service.transport;

import java.util.function.Predicate;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.protocols.PerDestinationBundler;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.jgroups.util.PassRegularMessagesUpDirectly;

/** As few threads in the way of a message as possible, since each of them has to be woken. */
final class DispatchTuning {

    private DispatchTuning() {}

    /** Whoever reads a message passes it up itself. */
    static final class DirectDelivery extends PassRegularMessagesUpDirectly {

        /** What a node says to itself comes back by another thread: whoever says it may not be done. */
        @Override
        public boolean loopback(Message message, boolean oob) {
            return super.loopback(message, true);
        }
    }

    /** Whoever sends a message to somebody it reaches at once does so itself. */
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
