package habemus.client;

import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import java.util.concurrent.CompletableFuture;

/** Transfers leadership to another candidate. */
final class TransferRequest implements PendingRequest {

    private final Grant grant;
    private final String to;
    private final CompletableFuture<Void> outcome = new CompletableFuture<>();

    TransferRequest(Grant grant, String to) {
        this.grant = grant;
        this.to = to;
    }

    CompletableFuture<Void> outcome() {
        return outcome;
    }

    @Override
    public Operation operation() {
        return new Operation.Transfer(grant.details().request(), to);
    }

    @Override
    public void onSubmitted(ActiveSession session, long number) {}

    @Override
    public boolean onResult(OperationResult result) {
        if (result instanceof OperationResult.Rejected(var reason)) {
            onFailed(Rejections.of(reason, grant.details().resource() + " to " + to));
        } else {
            grant.removeRequest();
            grant.markLost(new LossReason.Transferred(to));
            outcome.complete(null);
        }
        return false;
    }

    @Override
    public void onSessionLost(LossReason reason) {
        outcome.completeExceptionally(new OutcomeUnknownException("transfer not confirmed, session lost: " + reason));
    }

    @Override
    public void onFailed(RuntimeException failure) {
        outcome.completeExceptionally(failure);
    }
}
