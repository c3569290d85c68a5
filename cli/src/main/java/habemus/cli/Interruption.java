package habemus.cli;

import java.time.Duration;

/** Ctrl-C while a command works asks it to come to an end and say what it knows, rather than ending it. */
final class Interruption implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static volatile boolean asked;

    private final Thread hook;

    /** Of the thread that calls this. */
    Interruption() {
        var worker = Thread.currentThread();
        hook = new Thread(() -> ask(worker));
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private static void ask(Thread worker) {
        asked = true;
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
