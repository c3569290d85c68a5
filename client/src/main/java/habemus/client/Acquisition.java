package habemus.client;

import habemus.fenced.Answer;
import habemus.fenced.Name;
import habemus.fenced.Want;
import habemus.fenced.Wish;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** A request to be let in: first it waits, then it is held. */
final class Acquisition implements Request {

    private final Driver driver;
    private final Wish.Acquire wish;
    private final CompletableFuture<Attempt> outcome = new CompletableFuture<>();
    private final long began = System.nanoTime();
    private Optional<Life> life = Optional.empty();
    private long number;
    private Optional<Grant> grant = Optional.empty();
    private volatile boolean inLine;

    Acquisition(Driver driver, Wish.Acquire wish) {
        this.driver = driver;
        this.wish = wish;
    }

    /** Whoever completes it before the service does, takes the request back. */
    CompletableFuture<Attempt> outcome() {
        return outcome;
    }

    /** Whether the service has said that it waits in line. */
    boolean isInLine() {
        return inLine;
    }

    /** {@code lock orders} */
    String what() {
        return wish.wants().stream().map(Want::name).map(Name::toString).collect(Collectors.joining(", "));
    }

    @Override
    public Wish wish() {
        return wish;
    }

    @Override
    public void asked(Life asking, long asNumber) {
        life = Optional.of(asking);
        number = asNumber;
        standInLine(false);
    }

    private void standInLine(boolean next) {
        Meters.FOUND.inLine((next ? 1 : 0) - (inLine ? 1 : 0));
        inLine = next;
    }

    @Override
    public boolean answered(Answer answer) {
        return switch (answer) {
            case Answer.Waiting() -> {
                standInLine(grant.isEmpty() && !outcome.isDone());
                yield true;
            }
            case Answer.Granted(var fence) -> granted(fence);
            case Answer.Busy(var holders) -> over(new Attempt.Busy(holders));
            case Answer.Refused(var fault) -> {
                failed(Refusals.of(fault, what()));
                yield false;
            }
            case Answer.Revoked(var operator, var reason) -> {
                lost(new Loss.Revoked(operator, reason));
                yield false;
            }
            case Answer.Released released -> false;
            case Answer.Cancelled cancelled -> false;
            case Answer.Closed closed -> false;
        };
    }

    private boolean granted(long fence) {
        if (grant.isEmpty()) {
            var held = new Grant(driver, life.orElseThrow(), new Grant.Title(number, fence, what(), kind()));
            grant = Optional.of(held);
            standInLine(false);
            Meters.FOUND.waited(kind(), System.nanoTime() - began);
            if (!outcome.complete(new Attempt.Granted(held))) {
                held.giveUp(); // nobody waits for it any more
            }
        }
        return true;
    }

    private boolean over(Attempt attempt) {
        outcome.complete(attempt);
        return false;
    }

    /** What was not granted is asked for anew, if somebody still waits for it. */
    @Override
    public void lost(Loss why) {
        standInLine(false);
        if (grant.isPresent()) {
            grant.get().lose(why);
        } else if (!outcome.isDone()) {
            if (why instanceof Loss.Closed) {
                failed(Driver.closed());
            } else if (wish.patient()) {
                driver.ask(this);
            } else {
                over(new Attempt.NoQuorum("the session was lost before the answer: " + why));
            }
        }
    }

    @Override
    public void failed(RuntimeException why) {
        outcome.completeExceptionally(why);
    }

    /** Nobody waits for it any more. For any thread. */
    void takeBack() {
        driver.post(() -> {
            standInLine(false);
            if (grant.isEmpty()) {
                life.ifPresent(asked -> driver.ask(asked, new Surrender(asked, number)));
            }
        });
    }

    String kind() {
        return wish.wants().size() > 1
                ? "several"
                : wish.wants().getFirst().name().kind().toString();
    }
}
