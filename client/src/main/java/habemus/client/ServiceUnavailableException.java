package habemus.client;

/**
 * No answer of the service in time: no node could be reached, or none that has a majority behind it. Nothing is held by
 * the request. Look at the nodes, then try again; the client itself goes on looking for one.
 */
public final class ServiceUnavailableException extends HabemusException {

    private static final long serialVersionUID = 1;

    ServiceUnavailableException(String message) {
        super(message);
    }
}
