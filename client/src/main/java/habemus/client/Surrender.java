package habemus.client;

import habemus.fenced.Answer;
import habemus.fenced.Wish;
import java.util.concurrent.CompletableFuture;

/** To release, to cancel, to resign. */
final class Surrender implements Request {

    private final long claim;
    private final CompletableFuture<Void> outcome = new CompletableFuture<>();
    private Life life;

    Surrender(Life life, long claim) {
        this.life = life;
        this.claim = claim;
    }

    CompletableFuture<Void> outcome() {
        return outcome;
    }

    @Override
    public Wish wish() {
        return new Wish.Release(claim);
    }

    @Override
    public void asked(Life asking, long number) {
        life = asking;
    }

    /** The claim is over too. */
    @Override
    public boolean answered(Answer answer) {
        if (answer instanceof Answer.Refused(var fault)) {
            failed(Refusals.of(fault, "the release"));
        } else {
            life.forget(claim);
            outcome.complete(null);
        }
        return false;
    }

    @Override
    public void lost(Loss why) {
        outcome.completeExceptionally(
                new OutcomeUnknown("the session was lost before the release was confirmed: " + why));
    }

    @Override
    public void failed(RuntimeException why) {
        outcome.completeExceptionally(why);
    }
}
