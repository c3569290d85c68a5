package habemus.client;

import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** An acquire: first it waits, then it holds a {@link Grant}. Any thread may read its outcome or cancel it. */
final class AcquireRequest implements PendingRequest {

    private final SessionDriver driver;
    private final Operation.Acquire operation;
    private final CompletableFuture<AcquireResult> outcome = new CompletableFuture<>();
    private final long submittedAtNanos;
    private Optional<ActiveSession> session = Optional.empty();
    private long number;
    private Optional<Grant> grant = Optional.empty();
    private volatile boolean isQueued;

    AcquireRequest(SessionDriver driver, Operation.Acquire operation) {
        this.driver = driver;
        this.operation = operation;
        submittedAtNanos = driver.nanoTime();
    }

    /** {@return the result; a caller that completes it first must {@link #cancel} the request} */
    CompletableFuture<AcquireResult> outcome() {
        return outcome;
    }

    /** {@return whether the service has queued the request} */
    boolean isQueued() {
        return isQueued;
    }

    /** {@code lock orders} */
    String resourceNames() {
        return operation.shares().stream()
                .map(ResourceShare::name)
                .map(ResourceName::toString)
                .collect(Collectors.joining(", "));
    }

    @Override
    public Operation operation() {
        return operation;
    }

    @Override
    public void onSubmitted(ActiveSession next, long nextNumber) {
        session = Optional.of(next);
        number = nextNumber;
        setQueued(false);
    }

    private void setQueued(boolean queued) {
        ClientMetrics.INSTANCE.addWaiting((queued ? 1 : 0) - (isQueued ? 1 : 0));
        isQueued = queued;
    }

    @Override
    public boolean onResult(OperationResult result) {
        return switch (result) {
            case OperationResult.Waiting() -> {
                setQueued(grant.isEmpty() && !outcome.isDone());
                yield true;
            }
            case OperationResult.Granted(var fence) -> granted(fence);
            case OperationResult.Busy(var holders) ->
                finish(new AcquireResult.Busy(
                        holders.stream().map(LockStatus.Holder::of).toList()));
            case OperationResult.Rejected(var reason) -> {
                onFailed(Rejections.of(reason, resourceNames()));
                yield false;
            }
            case OperationResult.Revoked(var operator, var reason) -> {
                onSessionLost(new LossReason.Revoked(operator, reason));
                yield false;
            }
            case OperationResult.Released released -> false;
            case OperationResult.Cancelled cancelled -> false;
            case OperationResult.Closed closed -> false;
        };
    }

    private boolean granted(long fence) {
        if (grant.isEmpty()) {
            var held =
                    new Grant(driver, session.orElseThrow(), new Grant.Details(number, fence, resourceNames(), kind()));
            grant = Optional.of(held);
            setQueued(false);
            ClientMetrics.INSTANCE.recordWait(kind(), driver.nanoTime() - submittedAtNanos);
            if (!outcome.complete(new AcquireResult.Granted(held))) {
                held.releaseInBackground(); // the caller has cancelled
            }
        }
        return true;
    }

    private boolean finish(AcquireResult result) {
        outcome.complete(result);
        return false;
    }

    /**
     * A request without a result is submitted again in the next session, unless its caller has cancelled it. The next
     * session ends this one, so the request takes effect once.
     */
    @Override
    public void onSessionLost(LossReason reason) {
        setQueued(false);
        if (grant.isPresent()) {
            grant.get().markLost(reason);
        } else if (!outcome.isDone()) {
            if (reason instanceof LossReason.ClientClosed) {
                onFailed(SessionDriver.closedException());
            } else {
                driver.submit(this);
            }
        }
    }

    @Override
    public void onFailed(RuntimeException failure) {
        outcome.completeExceptionally(failure);
    }

    /** Cancels the request at the service. May be called by any thread. */
    void cancel() {
        driver.post(() -> {
            setQueued(false);
            if (grant.isEmpty()) {
                session.ifPresent(
                        submittedIn -> driver.submit(submittedIn, new ReleaseRequest(submittedIn, number, 0)));
            }
        });
    }

    String kind() {
        return operation.shares().size() > 1
                ? "multi-lock"
                : operation.shares().getFirst().name().kind().toString();
    }
}
