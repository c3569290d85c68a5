package habemus.client;

import habemus.fenced.Answer;
import habemus.fenced.Wish;
import java.util.concurrent.CompletableFuture;

/** To resign in favour of another candidate. */
final class Handover implements Request {

    private final Grant grant;
    private final String to;
    private final CompletableFuture<Void> outcome = new CompletableFuture<>();

    Handover(Grant grant, String to) {
        this.grant = grant;
        this.to = to;
    }

    CompletableFuture<Void> outcome() {
        return outcome;
    }

    @Override
    public Wish wish() {
        return new Wish.Transfer(grant.title().number(), to);
    }

    @Override
    public void asked(Life life, long number) {}

    @Override
    public boolean answered(Answer answer) {
        if (answer instanceof Answer.Refused(var fault)) {
            failed(Refusals.of(fault, grant.title().what() + " to " + to));
        } else {
            grant.forget();
            grant.lose(new Loss.Transferred(to));
            outcome.complete(null);
        }
        return false;
    }

    @Override
    public void lost(Loss why) {
        outcome.completeExceptionally(
                new OutcomeUnknown("the session was lost before the transfer was confirmed: " + why));
    }

    @Override
    public void failed(RuntimeException why) {
        outcome.completeExceptionally(why);
    }
}
