package habemus.protocol;

/** A message that is sent again and again, such as a heartbeat: counted apart from those that get something done. */
public interface PeriodicMessage {

    /** Whether it is one, or carries one. */
    static boolean isPeriodic(Object message) {
        return Envelope.unwrap(message) instanceof PeriodicMessage;
    }
}
