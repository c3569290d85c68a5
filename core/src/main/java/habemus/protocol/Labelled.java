package habemus.protocol;

/** A message or the state of a node with a short text for diagrams: {@code write 1}, or the name of a variable. */
public interface Labelled {

    String label();
}
