package habemus.cli.terminal;

import java.time.Duration;

/** Turns Ctrl-C into a request to finish early, so that the command can still print what it knows. */
public final class InterruptSignal implements AutoCloseable {

    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(10);

    private static volatile boolean interrupted;

    private final Thread hook;

    /** Without a callback: the command polls {@link #isInterrupted}. */
    public InterruptSignal() {
        this(() -> {});
    }

    /** @param onInterrupt runs in the shutdown thread and must let the constructing thread finish */
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

    /** Exits the process. After Ctrl-C it halts: {@link System#exit} would wait for the running shutdown hook. */
    public static void exit(int code) {
        if (interrupted) {
            Runtime.getRuntime().halt(code);
        }
        System.exit(code);
    }
}
