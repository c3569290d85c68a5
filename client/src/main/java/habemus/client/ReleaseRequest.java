package habemus.client;

import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import java.util.concurrent.CompletableFuture;

/** Releases a grant, cancels an acquire, or resigns. */
final class ReleaseRequest implements PendingRequest {

    private final long acquire;
    private final long fence;
    private final CompletableFuture<Void> outcome = new CompletableFuture<>();
    private ActiveSession session;

    /** @param fence of the grant; zero if the acquire may not have been granted yet */
    ReleaseRequest(ActiveSession session, long acquire, long fence) {
        this.session = session;
        this.acquire = acquire;
        this.fence = fence;
    }

    CompletableFuture<Void> outcome() {
        return outcome;
    }

    @Override
    public Operation operation() {
        return new Operation.Release(acquire, fence);
    }

    @Override
    public void onSubmitted(ActiveSession next, long number) {
        session = next;
    }

    /** The acquire has ended too. */
    @Override
    public boolean onResult(OperationResult result) {
        if (result instanceof OperationResult.Rejected(var reason)) {
            onFailed(Rejections.of(reason, "release"));
        } else {
            session.removeRequest(acquire);
            outcome.complete(null);
        }
        return false;
    }

    @Override
    public void onSessionLost(LossReason reason) {
        outcome.completeExceptionally(new OutcomeUnknownException("release not confirmed, session lost: " + reason));
    }

    @Override
    public void onFailed(RuntimeException failure) {
        outcome.completeExceptionally(failure);
    }
}
