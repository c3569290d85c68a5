package habemus.service.transport;

import java.time.Duration;

/**
 * How soon nodes think that another one has died.
 *
 * @param heartbeatTimeout after which a node is suspected that keeps its connections but says nothing
 * @param heartbeatInterval between heartbeats
 * @param verificationTimeout in which a suspect can still say that it lives
 * @param viewAgreementTimeout how long the others wait for each other when somebody has gone
 * @param mergeInterval how often, at least, nodes look for others whom they have given up, and who are there
 */
public record FailureDetectionTimeouts(
        Duration heartbeatTimeout,
        Duration heartbeatInterval,
        Duration verificationTimeout,
        Duration viewAgreementTimeout,
        Duration mergeInterval) {

    /** For algorithms that a wrong suspicion costs more than a late one. */
    public static final FailureDetectionTimeouts CONSERVATIVE = new FailureDetectionTimeouts(
            Duration.ofMillis(2_500),
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofSeconds(2),
            Duration.ofMillis(1_500));

    /** For those that a wrong suspicion cannot hurt. */
    public static final FailureDetectionTimeouts AGGRESSIVE = new FailureDetectionTimeouts(
            Duration.ofMillis(700),
            Duration.ofMillis(150),
            Duration.ofMillis(150),
            Duration.ofMillis(200),
            Duration.ofMillis(200));
}
