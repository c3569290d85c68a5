package habemus.client;

import habemus.lockservice.Operation;
import habemus.lockservice.ResourceShare;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A candidate who stands until it resigns: who is deposed stands again, in a new session if need be. */
final class CandidateRunner {

    /** One term. */
    private static final class Reign {
        private final Grant grant;
        private boolean begun;
        private boolean over;
        private @Nullable Thread ruling;

        Reign(Grant grant) {
            this.grant = grant;
        }
    }

    private final SessionDriver sessionDriver;
    private final Operation.Acquire wish;
    private final Candidate candidate;
    private final SerialExecutor serialExecutor;
    private final ReentrantLock turn = new ReentrantLock();
    private Optional<AcquireRequest> asked = Optional.empty();
    private Optional<Reign> reign = Optional.empty();
    private boolean over;

    CandidateRunner(SessionDriver sessionDriver, String election, int rank, Candidate candidate) {
        this.sessionDriver = sessionDriver;
        this.candidate = candidate;
        wish = new Operation.Acquire(List.of(ResourceShare.leadership(election)), true, rank);
        serialExecutor = new SerialExecutor("habemus-election-" + election);
    }

    void campaign() {
        turn.lock();
        try {
            if (!over) {
                var next = new AcquireRequest(sessionDriver, wish);
                asked = Optional.of(next);
                sessionDriver.post(() -> sessionDriver.submit(next));
                var unused = next.outcome().whenCompleteAsync(this::answered, Habemus.CALLBACK_EXECUTOR);
            }
        } finally {
            turn.unlock();
        }
    }

    private void answered(@Nullable AcquireResult acquireResult, @Nullable Throwable failure) {
        if (acquireResult instanceof AcquireResult.Granted(var grant)) {
            elected(grant);
        } else if (failure instanceof RequestRejectedException requestRejectedException) {
            serialExecutor.execute(() -> candidate.onRejected(requestRejectedException));
        }
    }

    private void elected(Grant grant) {
        var next = new Reign(grant);
        turn.lock();
        try {
            if (over) {
                grant.releaseInBackground();
                return;
            }
            reign = Optional.of(next);
        } finally {
            turn.unlock();
        }
        ClientMetrics.INSTANCE.countElection();
        serialExecutor.execute(() -> rule(next));
        grant.onLost(why -> {
            depose(next, why);
            campaign();
        });
    }

    /** Who was deposed before it knew of its election hears of neither. */
    private void rule(Reign now) {
        turn.lock();
        try {
            if (now.over) {
                return;
            }
            now.begun = true;
            now.ruling = Thread.currentThread();
        } finally {
            turn.unlock();
        }
        try {
            candidate.onElected(now.grant.fence());
        } finally {
            turn.lock();
            try {
                now.ruling = null;
            } finally {
                turn.unlock();
            }
        }
    }

    private void depose(Reign last, LossReason why) {
        turn.lock();
        try {
            if (last.over) {
                return;
            }
            last.over = true;
            reign = Optional.empty();
            if (last.ruling != null) {
                last.ruling.interrupt();
            }
            if (last.begun) {
                serialExecutor.execute(() -> candidate.onDeposed(last.grant.fence(), why));
            }
        } finally {
            turn.unlock();
        }
    }

    Optional<Grant> leadership() {
        turn.lock();
        try {
            return reign.filter(now -> !now.over).map(now -> now.grant);
        } finally {
            turn.unlock();
        }
    }

    /** First the candidate knows, then the service. */
    CompletableFuture<Void> resign() {
        var done = new CompletableFuture<Void>();
        turn.lock();
        try {
            over = true;
            var last = reign;
            last.ifPresent(now -> depose(now, new LossReason.Resigned()));
            asked.filter(open -> open.outcome().completeExceptionally(new CancellationException()))
                    .ifPresent(AcquireRequest::cancel);
            serialExecutor.execute(() -> {
                var released = last.map(now -> now.grant.releaseAsync()).orElseGet(CompletableFuture::new);
                if (last.isEmpty()) {
                    released.complete(null);
                }
                var unused = released.whenComplete((nothing, failure) -> done.complete(null));
            });
        } finally {
            turn.unlock();
        }
        return done;
    }

    /** Whether it is one of the candidate's calls that asks. */
    boolean isCallbackThread() {
        return serialExecutor.isCurrentThread();
    }
}
