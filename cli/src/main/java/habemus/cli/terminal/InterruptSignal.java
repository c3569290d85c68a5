package habemus.cli.terminal;

import java.time.Duration;

/** Ctrl-C while a command works asks it to come to an end and say what it knows, rather than ending it. */
public final class InterruptSignal implements AutoCloseable {

    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(10);

    private static volatile boolean interrupted;

    private final Thread hook;

    /** Of the thread that calls this. */
    public InterruptSignal() {
        this(() -> {});
    }

    /** @param onInterrupt what lets the thread that calls this come to an end */
    public InterruptSignal(Runnable onInterrupt) {
        var worker = Thread.currentThread();
        hook = new Thread(() -> {
            interrupted = true;
            onInterrupt.run();
            awaitWorker(worker);
        });
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private static void awaitWorker(Thread worker) {
        try {
            worker.join(SHUTDOWN_TIMEOUT);
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    public boolean isInterrupted() {
        return interrupted;
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException tooLate) {
            interrupted = true;
        }
    }

    /** Ends this process. One that was asked to end already is ended at once: to ask again would wait for itself. */
    public static void exit(int code) {
        if (interrupted) {
            Runtime.getRuntime().halt(code);
        }
        System.exit(code);
    }
}
