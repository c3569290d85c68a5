package habemus.service.session;

/** Why a node has stopped by itself: its machine did the impossible, or its log did. */
public record Failure(Throwable why, Object state) {

    private static final int SHOWN = 10_000; // characters of the state

    @Override
    public String toString() {
        var text = why + "; its state was " + state;
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + " …";
    }
}
