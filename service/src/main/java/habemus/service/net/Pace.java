package habemus.service.net;

import java.time.Duration;

/**
 * How soon nodes think that another one has died.
 *
 * @param silence after which a node is suspected that keeps its connections but says nothing
 * @param interval between heartbeats
 * @param doubt in which a suspect can still say that it lives
 * @param agreement how long the others wait for each other when somebody has gone
 * @param reunion how often, at least, nodes look for others whom they have given up, and who are there
 */
public record Pace(Duration silence, Duration interval, Duration doubt, Duration agreement, Duration reunion) {

    /** For algorithms that a wrong suspicion costs more than a late one. */
    public static final Pace CALM = new Pace(
            Duration.ofMillis(2_500),
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofSeconds(2),
            Duration.ofMillis(1_500));

    /** For those that a wrong suspicion cannot hurt. */
    public static final Pace BRISK = new Pace(
            Duration.ofMillis(700),
            Duration.ofMillis(150),
            Duration.ofMillis(150),
            Duration.ofMillis(200),
            Duration.ofMillis(200));
}
