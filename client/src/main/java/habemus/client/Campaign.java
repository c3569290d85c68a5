package habemus.client;

import habemus.fenced.Want;
import habemus.fenced.Wish;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A candidate who stands until it resigns: who is deposed stands again, in a new session if need be. */
final class Campaign {

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

    private final Driver driver;
    private final Wish.Acquire wish;
    private final Candidate candidate;
    private final Serial serial;
    private final ReentrantLock turn = new ReentrantLock();
    private Optional<Acquisition> asked = Optional.empty();
    private Optional<Reign> reign = Optional.empty();
    private boolean over;

    Campaign(Driver driver, String election, int rank, Candidate candidate) {
        this.driver = driver;
        this.candidate = candidate;
        wish = new Wish.Acquire(List.of(Want.leadership(election)), true, rank);
        serial = new Serial("habemus-election-" + election);
    }

    void stand() {
        turn.lock();
        try {
            if (!over) {
                var next = new Acquisition(driver, wish);
                asked = Optional.of(next);
                driver.post(() -> driver.ask(next));
                var unused = next.outcome().whenCompleteAsync(this::answered, Habemus.VIRTUAL);
            }
        } finally {
            turn.unlock();
        }
    }

    private void answered(@Nullable Attempt attempt, @Nullable Throwable failure) {
        if (attempt instanceof Attempt.Granted(var grant)) {
            elected(grant);
        } else if (failure instanceof Refused refused) {
            serial.run(() -> candidate.onRefused(refused));
        }
    }

    private void elected(Grant grant) {
        var next = new Reign(grant);
        turn.lock();
        try {
            if (over) {
                grant.giveUp();
                return;
            }
            reign = Optional.of(next);
        } finally {
            turn.unlock();
        }
        Meters.FOUND.elected();
        serial.run(() -> rule(next));
        grant.onLost(why -> {
            depose(next, why);
            stand();
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

    private void depose(Reign last, Loss why) {
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
                serial.run(() -> candidate.onDeposed(last.grant.fence(), why));
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
            last.ifPresent(now -> depose(now, new Loss.Resigned()));
            asked.filter(open -> open.outcome().completeExceptionally(new CancellationException()))
                    .ifPresent(Acquisition::takeBack);
            serial.run(() -> {
                var released = last.map(now -> now.grant.giveBack()).orElseGet(CompletableFuture::new);
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
    boolean isHere() {
        return serial.isHere();
    }
}
