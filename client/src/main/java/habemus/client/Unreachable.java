package habemus.client;

/**
 * No answer of the service in time: no node could be reached, or none that has a majority behind it. Nothing is held by
 * the request. Look at the nodes, then try again; the client itself goes on looking for one.
 */
public final class Unreachable extends HabemusException {

    private static final long serialVersionUID = 1;

    Unreachable(String message) {
        super(message);
    }
}
