package habemus.protocol;

/** A message or state that carries that of a machine within: counted and drawn as what it carries. */
public interface Envelope {

    Object content();

    /** What is said in the end. */
    static Object unwrap(Object value) {
        var innermost = value;
        while (innermost instanceof Envelope envelope) {
            innermost = envelope.content();
        }
        return innermost;
    }
}
