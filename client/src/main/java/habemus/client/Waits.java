package habemus.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Waiting for what the driver completes. */
final class Waits {

    private Waits() {}

    static <T> T get(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw unwrapped(e);
        }
    }

    /** All that is thrown in a driver is unchecked. */
    static RuntimeException unwrapped(ExecutionException wrapped) {
        return switch (wrapped.getCause()) {
            case HabemusException ours -> {
                ours.setStackTrace(Thread.currentThread().getStackTrace()); // who waited, and not the driver
                yield ours;
            }
            case RuntimeException other -> other;
            case null, default -> new IllegalStateException(wrapped);
        };
    }
}
