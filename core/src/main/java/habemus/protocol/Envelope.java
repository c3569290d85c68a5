package habemus.protocol;

/** A message or state that wraps one of an embedded algorithm. Statistics and diagrams show the wrapped one. */
public interface Envelope {

    Object content();

    /** The innermost content; the value itself if it is no envelope. */
    static Object unwrap(Object value) {
        var innermost = value;
        while (innermost instanceof Envelope envelope) {
            innermost = envelope.content();
        }
        return innermost;
    }
}
