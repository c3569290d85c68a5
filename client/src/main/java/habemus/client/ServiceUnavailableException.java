package habemus.client;

/**
 * The service did not answer in time: no node is reachable, or none is connected to a majority. The request holds
 * nothing. Check the nodes, then try again; the client keeps looking for a node.
 */
public final class ServiceUnavailableException extends HabemusException {

    private static final long serialVersionUID = 1;

    ServiceUnavailableException(String message) {
        super(message);
    }
}
