package habemus.client;

import java.time.Duration;

/** Metrics of all clients in this JVM. */
interface ClientMetrics {

    /** Micrometer metrics if Micrometer is on the class path; else none. */
    ClientMetrics INSTANCE = load();

    private static ClientMetrics load() {
        try {
            Class.forName("io.micrometer.core.instrument.Metrics", false, ClientMetrics.class.getClassLoader());
            return new MicrometerClientMetrics();
        } catch (ClassNotFoundException | LinkageError absent) {
            return new ClientMetrics() {};
        }
    }

    /** Time from the request to the grant. */
    default void recordWait(String kind, long nanos) {}

    /** Time from the grant until it was closed or lost. */
    default void recordHold(String kind, long nanos) {}

    default void countLoss(String kind) {}

    /** @param remaining of the lease when a renewal was acknowledged */
    default void recordRenewalMargin(Duration remaining) {}

    /** @param change of the number of waiting requests of this JVM */
    default void addWaiting(int change) {}

    default void countElection() {}

    /** A candidate of this JVM leads from now on, or no longer. */
    default void setLeading(String election, boolean isLeading) {}

    /** A write with a stale fence was rejected. */
    default void countStaleFence() {}
}
