package habemus.client;

import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import java.util.concurrent.CompletableFuture;

/** To end the session, and give back all that it has. */
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
    public void onSubmitted(ActiveSession activeSession, long number) {}

    @Override
    public boolean onResult(OperationResult operationResult) {
        outcome.complete(null);
        return false;
    }

    /** Also then it is over. */
    @Override
    public void onSessionLost(LossReason why) {
        outcome.complete(null);
    }

    @Override
    public void onFailed(RuntimeException why) {
        outcome.complete(null);
    }
}
