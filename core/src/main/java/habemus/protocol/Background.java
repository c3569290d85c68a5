package habemus.protocol;

/** A message that is sent again and again, such as a heartbeat: counted apart from those that get something done. */
public interface Background {

    /** Whether it is one, or carries one. */
    static boolean is(Object message) {
        return Envelope.open(message) instanceof Background;
    }
}
