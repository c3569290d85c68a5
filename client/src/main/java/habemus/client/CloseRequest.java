package habemus.client;

import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import java.util.concurrent.CompletableFuture;

/** Closes the session, which releases all it holds. */
final class CloseRequest implements PendingRequest {

    private final CompletableFuture<Void> outcome = new CompletableFuture<>();

    CompletableFuture<Void> outcome() {
        return outcome;
    }

    @Override
    public Operation operation() {
        return new Operation.Close();
    }

    @Override
    public void onSubmitted(ActiveSession session, long number) {}

    @Override
    public boolean onResult(OperationResult result) {
        outcome.complete(null);
        return false;
    }

    /** A lost session is closed too. */
    @Override
    public void onSessionLost(LossReason reason) {
        outcome.complete(null);
    }

    @Override
    public void onFailed(RuntimeException failure) {
        outcome.complete(null);
    }
}
