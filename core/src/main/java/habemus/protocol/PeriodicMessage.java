package habemus.protocol;

/** A message that a node repeats all the time, such as a heartbeat. Statistics count it apart from other messages. */
public interface PeriodicMessage {

    /** Whether the message is periodic, or wraps one that is. */
    static boolean isPeriodic(Object message) {
        return Envelope.unwrap(message) instanceof PeriodicMessage;
    }
}
