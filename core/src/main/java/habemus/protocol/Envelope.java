package habemus.protocol;

/** A message or state that carries that of a machine within: counted and drawn as what it carries. */
public interface Envelope {

    Object content();

    /** What is said in the end. */
    static Object open(Object value) {
        var inmost = value;
        while (inmost instanceof Envelope envelope) {
            inmost = envelope.content();
        }
        return inmost;
    }
}
