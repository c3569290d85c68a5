package habemus.client;

import habemus.lockservice.Operation;
import habemus.lockservice.ResourceShare;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Runs a candidate until it resigns. A deposed candidate campaigns again, in a new session if necessary. */
final class CandidateRunner {

    /** One term as leader. */
    private static final class Term {
        private final Grant grant;
        private boolean hasBegun;
        private boolean hasEnded;
        private @Nullable Thread callbackThread;

        Term(Grant grant) {
            this.grant = grant;
        }
    }

    private final SessionDriver driver;
    private final Operation.Acquire operation;
    private final Candidate candidate;
    private final SerialExecutor executor;
    private final ReentrantLock mutex = new ReentrantLock();
    private Optional<AcquireRequest> request = Optional.empty();
    private Optional<Term> currentTerm = Optional.empty();
    private boolean hasResigned;

    CandidateRunner(SessionDriver driver, String election, int rank, Candidate candidate) {
        this.driver = driver;
        this.candidate = candidate;
        operation = new Operation.Acquire(List.of(ResourceShare.leadership(election)), true, rank);
        executor = new SerialExecutor(driver.callbackExecutor());
    }

    void campaign() {
        mutex.lock();
        try {
            if (!hasResigned) {
                var next = new AcquireRequest(driver, operation);
                request = Optional.of(next);
                driver.post(() -> driver.submit(next));
                var unused = next.outcome().whenCompleteAsync(this::onResult, driver.callbackExecutor());
            }
        } finally {
            mutex.unlock();
        }
    }

    private void onResult(@Nullable AcquireResult result, @Nullable Throwable failure) {
        if (result instanceof AcquireResult.Granted(var grant)) {
            onElected(grant);
        } else if (failure instanceof RequestRejectedException rejection) {
            executor.execute(() -> candidate.onRejected(rejection));
        }
    }

    private String election() {
        return operation.shares().getFirst().name().text();
    }

    private void onElected(Grant grant) {
        var next = new Term(grant);
        mutex.lock();
        try {
            if (hasResigned) {
                grant.releaseInBackground();
                return;
            }
            currentTerm = Optional.of(next);
        } finally {
            mutex.unlock();
        }
        ClientMetrics.INSTANCE.countElection();
        ClientMetrics.INSTANCE.setLeading(election(), true);
        executor.execute(() -> lead(next));
        grant.onLost(reason -> {
            endTerm(next, reason);
            campaign();
        });
    }

    /** If the term has ended before this call, the candidate learns of neither election nor deposition. */
    private void lead(Term term) {
        mutex.lock();
        try {
            if (term.hasEnded) {
                return;
            }
            term.hasBegun = true;
            term.callbackThread = Thread.currentThread();
        } finally {
            mutex.unlock();
        }
        try {
            candidate.onElected(term.grant.fence());
        } finally {
            mutex.lock();
            try {
                term.callbackThread = null;
                if (term.hasEnded) {
                    Thread.interrupted(); // clears the interrupt, which was meant for this call only
                }
            } finally {
                mutex.unlock();
            }
        }
    }

    private void endTerm(Term term, LossReason reason) {
        mutex.lock();
        try {
            if (term.hasEnded) {
                return;
            }
            term.hasEnded = true;
            ClientMetrics.INSTANCE.setLeading(election(), false);
            currentTerm = Optional.empty();
            if (term.callbackThread != null) {
                term.callbackThread.interrupt();
            }
            if (term.hasBegun) {
                executor.execute(() -> candidate.onDeposed(term.grant.fence(), reason));
            }
        } finally {
            mutex.unlock();
        }
    }

    Optional<Grant> leadership() {
        mutex.lock();
        try {
            return currentTerm.filter(term -> !term.hasEnded).map(term -> term.grant);
        } finally {
            mutex.unlock();
        }
    }

    /** Calls {@link Candidate#onDeposed} first, and releases leadership afterwards. */
    CompletableFuture<Void> resign() {
        var done = new CompletableFuture<Void>();
        mutex.lock();
        try {
            hasResigned = true;
            var last = currentTerm;
            last.ifPresent(term -> endTerm(term, new LossReason.Resigned()));
            request.filter(open -> open.outcome().completeExceptionally(new CancellationException()))
                    .ifPresent(AcquireRequest::cancel);
            executor.execute(() -> {
                var released = last.map(term -> term.grant.releaseAsync()).orElseGet(CompletableFuture::new);
                if (last.isEmpty()) {
                    released.complete(null);
                }
                var unused = released.whenComplete((nothing, failure) -> done.complete(null));
            });
        } finally {
            mutex.unlock();
        }
        return done;
    }

    /** {@return whether the current thread is in a call of the candidate} */
    boolean isCallbackThread() {
        return executor.isCurrentThread();
    }
}
