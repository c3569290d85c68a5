package habemus.lab.benchmark;

/**
 * The time of one round.
 *
 * @param cpuSeconds CPU time of the whole JVM, including compiler and garbage collector
 */
public record Lap(double seconds, double cpuSeconds) {}
