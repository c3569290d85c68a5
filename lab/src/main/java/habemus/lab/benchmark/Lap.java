package habemus.lab.benchmark;

/**
 * What one round took.
 *
 * @param cpuSeconds of the whole JVM: of all threads, its compiler and its collector among them
 */
public record Lap(double seconds, double cpuSeconds) {}
