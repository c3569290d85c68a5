package habemus.lab.bench;

/**
 * What a benchmark measured.
 *
 * @param what what was run, in words
 * @param events how many events were handled
 * @param cpuSeconds of the thread that ran it: other work on the machine disturbs them less than seconds
 * @param heapMegabytes the most that was in use, garbage included
 * @param goal what it must reach, in words; empty if nothing is asked of it
 * @param remark what else it showed
 */
public record Measurement(
        String what, long events, double seconds, double cpuSeconds, long heapMegabytes, String goal, String remark) {

    public double eventsPerCpuSecond() {
        return events / cpuSeconds;
    }
}
