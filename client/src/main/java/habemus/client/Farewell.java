package habemus.client;

import habemus.fenced.Answer;
import habemus.fenced.Wish;
import java.util.concurrent.CompletableFuture;

/** To end the session, and give back all that it has. */
final class Farewell implements Request {

    private final CompletableFuture<Void> outcome = new CompletableFuture<>();

    CompletableFuture<Void> outcome() {
        return outcome;
    }

    @Override
    public Wish wish() {
        return new Wish.Close();
    }

    @Override
    public void asked(Life life, long number) {}

    @Override
    public boolean answered(Answer answer) {
        outcome.complete(null);
        return false;
    }

    /** Also then it is over. */
    @Override
    public void lost(Loss why) {
        outcome.complete(null);
    }

    @Override
    public void failed(RuntimeException why) {
        outcome.complete(null);
    }
}
