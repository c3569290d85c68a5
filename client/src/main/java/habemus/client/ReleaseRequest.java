package habemus.client;

import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import java.util.concurrent.CompletableFuture;

/** To release, to cancel, to resign. */
final class ReleaseRequest implements PendingRequest {

    private final long claim;
    private final CompletableFuture<Void> outcome = new CompletableFuture<>();
    private ActiveSession activeSession;

    ReleaseRequest(ActiveSession activeSession, long claim) {
        this.activeSession = activeSession;
        this.claim = claim;
    }

    CompletableFuture<Void> outcome() {
        return outcome;
    }

    @Override
    public Operation operation() {
        return new Operation.Release(claim);
    }

    @Override
    public void onSubmitted(ActiveSession asking, long number) {
        activeSession = asking;
    }

    /** The claim is over too. */
    @Override
    public boolean onResult(OperationResult operationResult) {
        if (operationResult instanceof OperationResult.Rejected(var rejectionReason)) {
            onFailed(Rejections.of(rejectionReason, "the release"));
        } else {
            activeSession.removeRequest(claim);
            outcome.complete(null);
        }
        return false;
    }

    @Override
    public void onSessionLost(LossReason why) {
        outcome.completeExceptionally(
                new OutcomeUnknownException("the session was lost before the release was confirmed: " + why));
    }

    @Override
    public void onFailed(RuntimeException why) {
        outcome.completeExceptionally(why);
    }
}
