package habemus.client;

import java.time.Duration;

/** What is measured, for whoever wants to know. */
interface ClientMetrics {

    /** Those of Micrometer, if it is on the class path; else none. */
    ClientMetrics INSTANCE = found();

    private static ClientMetrics found() {
        try {
            Class.forName("io.micrometer.core.instrument.Metrics", false, ClientMetrics.class.getClassLoader());
            return new MicrometerClientMetrics();
        } catch (ClassNotFoundException | LinkageError absent) {
            return new ClientMetrics() {};
        }
    }

    /** From asking until it was granted. */
    default void recordWait(String kind, long nanos) {}

    /** From the grant until it was closed or lost. */
    default void recordHold(String kind, long nanos) {}

    default void countLoss(String kind) {}

    /** @param left of the lease, when a renewal was acknowledged */
    default void recordRenewalMargin(Duration left) {}

    /** @param more requests of this JVM that wait in line */
    default void addWaiting(int more) {}

    default void countElection() {}

    /** A late write was refused. */
    default void countStaleFence() {}
}
