package habemus.course.exercise;

/** What a student writes about the shared counter. The check starts the threads. */
public interface CounterTask {

    /** Adds one. Several threads call it at the same time, and no addition is lost. */
    void increment();

    int value();

    /**
     * The smallest value with which the counter of the text can end. That one reads, adds and writes without a lock.
     *
     * @param threads how many threads increment it
     * @param rounds how often each of them does
     */
    int smallest(int threads, int rounds);

    /** The largest value with which that counter can end. */
    int largest(int threads, int rounds);
}
