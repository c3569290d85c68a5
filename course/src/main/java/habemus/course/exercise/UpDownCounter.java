package habemus.course.exercise;

/** What a student writes with {@code synchronized}: a counter that several threads change and read. */
public interface UpDownCounter {

    /** Adds one, and returns the new value. */
    int increment();

    /** Subtracts one, and returns the new value. */
    int decrement();

    int value();
}
