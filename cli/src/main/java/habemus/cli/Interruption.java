package habemus.cli;

import java.time.Duration;

/** Ctrl-C while a command works asks it to come to an end and say what it knows, rather than ending it. */
final class Interruption implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static volatile boolean asked;

    private final Thread hook;

    /** Of the thread that calls this. */
    Interruption() {
        this(() -> {});
    }

    /** @param wake what lets the thread that calls this come to an end */
    Interruption(Runnable wake) {
        var worker = Thread.currentThread();
        hook = new Thread(() -> {
            asked = true;
            wake.run();
            ask(worker);
        });
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private static void ask(Thread worker) {
        try {
            worker.join(PATIENCE);
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    boolean isAsked() {
        return asked;
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException tooLate) {
            asked = true;
        }
    }

    /** Ends this process. One that was asked to end already is ended at once: to ask again would wait for itself. */
    static void exit(int code) {
        if (asked) {
            Runtime.getRuntime().halt(code);
        }
        System.exit(code);
    }
}
