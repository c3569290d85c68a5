package habemus.service.transport;

import java.time.Duration;

/**
 * The timeouts of the failure detector and the group membership.
 *
 * @param heartbeatTimeout time without heartbeats after which a connected node is suspected
 * @param heartbeatInterval time between heartbeats
 * @param verificationTimeout time in which a suspected node can answer a last check
 * @param viewAgreementTimeout longest wait for acknowledgements of a new view
 * @param mergeInterval longest time between two attempts to find nodes of another view
 */
public record FailureDetectionTimeouts(
        Duration heartbeatTimeout,
        Duration heartbeatInterval,
        Duration verificationTimeout,
        Duration viewAgreementTimeout,
        Duration mergeInterval) {

    /** For algorithms that a wrong suspicion harms more than a late one. */
    public static final FailureDetectionTimeouts CONSERVATIVE = new FailureDetectionTimeouts(
            Duration.ofMillis(2_500),
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofSeconds(2),
            Duration.ofMillis(1_500));

    /** For Raft, which a wrong suspicion cannot harm. */
    public static final FailureDetectionTimeouts AGGRESSIVE = new FailureDetectionTimeouts(
            Duration.ofMillis(700),
            Duration.ofMillis(150),
            Duration.ofMillis(150),
            Duration.ofMillis(200),
            Duration.ofMillis(200));
}
