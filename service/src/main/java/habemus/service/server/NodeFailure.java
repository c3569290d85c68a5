package habemus.service.server;

/** Why a node has stopped by itself: its machine did the impossible, or its log did. */
public record NodeFailure(Throwable cause, Object state) {

    private static final int MAX_STATE_CHARACTERS = 10_000; // characters of the state

    @Override
    public String toString() {
        var text = cause + "; its state was " + state;
        return text.length() <= MAX_STATE_CHARACTERS ? text : text.substring(0, MAX_STATE_CHARACTERS) + " …";
    }
}
