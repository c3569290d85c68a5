package habemus.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Waits for futures that the driver completes. */
final class Futures {

    private Futures() {}

    static <T> T await(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw unwrap(e);
        }
    }

    /** {@return the cause; the driver completes futures with unchecked exceptions only} */
    static RuntimeException unwrap(ExecutionException wrapped) {
        return switch (wrapped.getCause()) {
            case HabemusException ours -> {
                ours.setStackTrace(Thread.currentThread().getStackTrace()); // of the waiting thread, not of the driver
                yield ours;
            }
            case RuntimeException other -> other;
            case null, default -> new IllegalStateException(wrapped);
        };
    }
}
