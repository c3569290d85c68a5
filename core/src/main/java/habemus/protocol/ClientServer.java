package habemus.protocol;

/** An algorithm in which some nodes are there for the others. */
public interface ClientServer<S, M> extends Protocol<S, M> {

    /** Whether this node's application may ask for something; else it has none. */
    boolean isClient(NodeId node);

    /** Whether this node never crashes: it stands for something that outlives any node. */
    boolean neverCrashes(NodeId node);
}
