package habemus.harness.simulation;

import habemus.world.KebabCase;

/** What the service promises beyond the properties of its log. */
public enum ServiceProperty {
    FENCED_EXCLUSION("every fence is larger than all earlier ones, and no resource is held beyond its size"),
    NOTIFIED_BEFORE_REGRANTED("a client has reported the loss of a hold before the service grants it to another"),
    EXACTLY_ONCE("a request takes effect once, however often it is sent"),
    FIFO_WAITERS("no waiter is granted before one that came earlier"),
    HARMLESS_QUOTAS("a full quota refuses what is new, and touches nothing that exists"),
    COMMITTED_REPLIES("a client is told only what the log has committed"),
    REPLICAS_AGREE("nodes that have applied the same entries have the same table"),
    REVOCATION_REPORTED("no client believes in a hold that the service has ended"),
    AMNESIA_REFUSED("a node that has lost its data is refused"),
    UNDAMAGED("a node stops only because of a fault"),
    PROGRESS("after all faults are healed, all nodes agree and all clients are served");

    private final String sentence;

    ServiceProperty(String sentence) {
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }

    @Override
    public String toString() {
        return KebabCase.of(this);
    }
}
