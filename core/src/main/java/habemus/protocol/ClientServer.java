package habemus.protocol;

/** An algorithm whose nodes are either clients, which applications use, or servers. */
public interface ClientServer<S, M> extends Protocol<S, M> {

    /** Whether this node is a client. Only clients receive calls of an application. */
    boolean isClient(NodeId node);

    /** Whether this node never crashes: it stands for something that outlives any node, such as a replicated log. */
    boolean neverCrashes(NodeId node);
}
