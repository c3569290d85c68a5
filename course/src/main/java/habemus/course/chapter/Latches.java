package habemus.course.chapter;

import java.util.concurrent.CountDownLatch;

/** Latches for tasks, which cannot throw checked exceptions. */
final class Latches {

    private Latches() {}

    /** Waits until the latch is open, or until the thread is interrupted. */
    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
