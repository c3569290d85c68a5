package habemus.service.node;

/** Why a node has stopped by itself: a machine did the impossible, or its disk did. */
public record Failure(GroupId group, RuntimeException why, Object state) {

    @Override
    public String toString() {
        return group + ": " + why.getMessage() + "; its state was " + state;
    }
}
