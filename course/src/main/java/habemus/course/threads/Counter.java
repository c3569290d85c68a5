package habemus.course.threads;

/** A counter that several threads increment. */
public interface Counter {

    void increment();

    /** Called once by each thread, after its last increment. */
    default void finish() {}

    /** The value after all threads have finished. */
    long value();
}
