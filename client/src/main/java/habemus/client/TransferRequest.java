package habemus.client;

import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import java.util.concurrent.CompletableFuture;

/** To resign in favour of another candidate. */
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
    public void onSubmitted(ActiveSession activeSession, long number) {}

    @Override
    public boolean onResult(OperationResult operationResult) {
        if (operationResult instanceof OperationResult.Rejected(var rejectionReason)) {
            onFailed(Rejections.of(rejectionReason, grant.details().resource() + " to " + to));
        } else {
            grant.removeRequest();
            grant.markLost(new LossReason.Transferred(to));
            outcome.complete(null);
        }
        return false;
    }

    @Override
    public void onSessionLost(LossReason why) {
        outcome.completeExceptionally(
                new OutcomeUnknownException("the session was lost before the transfer was confirmed: " + why));
    }

    @Override
    public void onFailed(RuntimeException why) {
        outcome.completeExceptionally(why);
    }
}
