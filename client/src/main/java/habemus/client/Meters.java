package habemus.client;

import java.time.Duration;

/** What is measured, for whoever wants to know. */
interface Meters {

    /** Those of Micrometer, if it is on the class path; else none. */
    Meters FOUND = found();

    private static Meters found() {
        try {
            Class.forName("io.micrometer.core.instrument.Metrics", false, Meters.class.getClassLoader());
            return new MicrometerMeters();
        } catch (ClassNotFoundException | LinkageError absent) {
            return new Meters() {};
        }
    }

    /** From asking until it was granted. */
    default void waited(String kind, long nanos) {}

    /** From the grant until it was closed or lost. */
    default void held(String kind, long nanos) {}

    default void lost(String kind) {}

    /** @param left of the lease, when a renewal was acknowledged */
    default void renewed(Duration left) {}

    /** @param more requests of this JVM that wait in line */
    default void inLine(int more) {}

    default void elected() {}

    /** A late write was refused. */
    default void fencedOff() {}
}
