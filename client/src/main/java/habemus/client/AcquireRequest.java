package habemus.client;

import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** A request to be let in: first it waits, then it is held. */
final class AcquireRequest implements PendingRequest {

    private final SessionDriver sessionDriver;
    private final Operation.Acquire wish;
    private final CompletableFuture<AcquireResult> outcome = new CompletableFuture<>();
    private final long began = System.nanoTime();
    private Optional<ActiveSession> activeSession = Optional.empty();
    private long number;
    private Optional<Grant> grant = Optional.empty();
    private volatile boolean inLine;

    AcquireRequest(SessionDriver sessionDriver, Operation.Acquire wish) {
        this.sessionDriver = sessionDriver;
        this.wish = wish;
    }

    /** Whoever completes it before the service does, takes the request back. */
    CompletableFuture<AcquireResult> outcome() {
        return outcome;
    }

    /** Whether the service has said that it waits in line. */
    boolean isQueued() {
        return inLine;
    }

    /** {@code lock orders} */
    String resourceNames() {
        return wish.shares().stream()
                .map(ResourceShare::resourceName)
                .map(ResourceName::toString)
                .collect(Collectors.joining(", "));
    }

    @Override
    public Operation operation() {
        return wish;
    }

    @Override
    public void onSubmitted(ActiveSession asking, long asNumber) {
        activeSession = Optional.of(asking);
        number = asNumber;
        standInLine(false);
    }

    private void standInLine(boolean next) {
        ClientMetrics.INSTANCE.addWaiting((next ? 1 : 0) - (inLine ? 1 : 0));
        inLine = next;
    }

    @Override
    public boolean onResult(OperationResult operationResult) {
        return switch (operationResult) {
            case OperationResult.Waiting() -> {
                standInLine(grant.isEmpty() && !outcome.isDone());
                yield true;
            }
            case OperationResult.Granted(var fence) -> granted(fence);
            case OperationResult.Busy(var holders) -> over(new AcquireResult.Busy(holders));
            case OperationResult.Rejected(var rejectionReason) -> {
                onFailed(Rejections.of(rejectionReason, resourceNames()));
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
            var held = new Grant(
                    sessionDriver,
                    activeSession.orElseThrow(),
                    new Grant.Details(number, fence, resourceNames(), kind()));
            grant = Optional.of(held);
            standInLine(false);
            ClientMetrics.INSTANCE.recordWait(kind(), System.nanoTime() - began);
            if (!outcome.complete(new AcquireResult.Granted(held))) {
                held.releaseInBackground(); // nobody waits for it any more
            }
        }
        return true;
    }

    private boolean over(AcquireResult acquireResult) {
        outcome.complete(acquireResult);
        return false;
    }

    /** What was not granted is asked for anew, if somebody still waits for it. */
    @Override
    public void onSessionLost(LossReason why) {
        standInLine(false);
        if (grant.isPresent()) {
            grant.get().markLost(why);
        } else if (!outcome.isDone()) {
            if (why instanceof LossReason.ClientClosed) {
                onFailed(SessionDriver.closedException());
            } else if (wish.waitInQueue()) {
                sessionDriver.submit(this);
            } else {
                over(new AcquireResult.NoQuorum("the session was lost before the answer: " + why));
            }
        }
    }

    @Override
    public void onFailed(RuntimeException why) {
        outcome.completeExceptionally(why);
    }

    /** Nobody waits for it any more. For any thread. */
    void cancel() {
        sessionDriver.post(() -> {
            standInLine(false);
            if (grant.isEmpty()) {
                activeSession.ifPresent(asked -> sessionDriver.submit(asked, new ReleaseRequest(asked, number)));
            }
        });
    }

    String kind() {
        return wish.shares().size() > 1
                ? "several"
                : wish.shares().getFirst().resourceName().kind().toString();
    }
}
