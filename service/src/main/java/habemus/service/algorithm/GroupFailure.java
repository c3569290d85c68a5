package habemus.service.algorithm;

/** Why a node has stopped by itself: a machine did the impossible, or its disk did. */
public record GroupFailure(GroupId group, RuntimeException cause, Object state) {

    @Override
    public String toString() {
        return group + ": " + cause.getMessage() + "; its state was " + state;
    }
}
