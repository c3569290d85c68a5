package habemus.course.exercise;

/** What a student writes with {@code wait} and {@code notifyAll}: threads in a ring pass a message on. */
public interface RelayTask {

    /** Called once, before the threads start. */
    void begin(RelayMessage message, int threads);

    /**
     * The life of one thread: it waits for its turn, turns one character, and passes the message to the next thread. It
     * returns once the whole message is in upper case.
     *
     * @param thread its number, from 0 on; the message starts at thread 0
     */
    void run(int thread) throws InterruptedException;
}
