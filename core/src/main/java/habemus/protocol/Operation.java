package habemus.protocol;

/**
 * An operation on a shared object with a sequential specification.
 *
 * @param argument zero if the operation has none
 */
public record Operation(Kind kind, int argument) {

    public enum Kind {
        /** Returns the value of the only key of a map, or sets it to the argument if it is absent; absent is zero. */
        PUT_IF_ABSENT,
        /** Appends the argument to a queue, and returns zero. */
        OFFER,
        /** Waits until the queue is not empty, then removes and returns its head. */
        TAKE
    }

    @Override
    public String toString() {
        return switch (kind) {
            case PUT_IF_ABSENT -> "putIfAbsent(" + argument + ")";
            case OFFER -> "offer(" + argument + ")";
            case TAKE -> "take()";
        };
    }
}
