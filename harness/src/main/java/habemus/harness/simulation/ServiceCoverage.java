package habemus.harness.simulation;

import java.util.Arrays;

/** How often each fault and each situation occurred. */
public final class ServiceCoverage {

    private final long[] faults = new long[ServiceFault.values().length];
    private final long[] situations = new long[ServiceSituation.values().length];

    void count(ServiceFault fault) {
        faults[fault.ordinal()]++;
    }

    void count(ServiceSituation situation) {
        situations[situation.ordinal()]++;
    }

    public long of(ServiceFault fault) {
        return faults[fault.ordinal()];
    }

    public long of(ServiceSituation situation) {
        return situations[situation.ordinal()];
    }

    /** The number of all faults. */
    public long faults() {
        return Arrays.stream(faults).sum();
    }

    /** Adds the counts of another run. */
    public void add(ServiceCoverage other) {
        Arrays.setAll(faults, i -> faults[i] + other.faults[i]);
        Arrays.setAll(situations, i -> situations[i] + other.situations[i]);
    }
}
