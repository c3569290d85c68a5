package habemus.service.runtime;

/**
 * Why a node has stopped by itself: a bug of a state machine, or a failed disk.
 *
 * @param component that failed, such as {@code lock server} or {@code mutex orders}
 * @param state of the component before the failure
 */
public record NodeFailure(String component, Throwable cause, Object state) {

    private static final int MAX_CHARACTERS = 10_000;

    /** The component and the cause, without the state. */
    public String summary() {
        return component + ": " + (cause.getMessage() == null ? cause : cause.getMessage());
    }

    @Override
    public String toString() {
        var text = summary() + "; its state was " + state;
        return text.length() <= MAX_CHARACTERS ? text : text.substring(0, MAX_CHARACTERS) + " …";
    }
}
