package habemus.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Waiting for what the driver completes. */
final class Futures {

    private Futures() {}

    static <T> T await(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw unwrap(e);
        }
    }

    /** All that is thrown in a driver is unchecked. */
    static RuntimeException unwrap(ExecutionException wrapped) {
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
