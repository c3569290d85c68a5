package habemus.fenced;

import java.time.Duration;
import java.util.Optional;

/**
 * A session, as the table knows it.
 *
 * @param heard the index of the last command by which it was heard of
 * @param settled its client has the answers of all requests up to this number
 * @param answers of later requests
 * @param taken claims that an operator has ended, until the client gives them back: it may not know
 */
public record Guest(
        Person person,
        Duration lease,
        long nonce,
        long heard,
        long settled,
        Tree<Long, Bid> bids,
        Tree<Long, Answer> answers,
        Tree<Long, Answer> taken) {

    static Guest arriving(Command.Open open, long index) {
        return new Guest(open.person(), open.lease(), open.nonce(), index, 0, Tree.empty(), Tree.empty(), Tree.empty());
    }

    Guest heardAt(long index) {
        return new Guest(person, lease, nonce, index, settled, bids, answers, taken);
    }

    Guest settledUpTo(long number) {
        return number <= settled
                ? this
                : new Guest(person, lease, nonce, heard, number, bids, answers.from(number + 1), taken);
    }

    Guest bidding(long number, Bid bid) {
        return new Guest(person, lease, nonce, heard, settled, bids.with(number, bid), answers, taken);
    }

    Guest over(long number, Answer answer) {
        var left = answer instanceof Answer.Revoked ? taken.with(number, answer) : taken.without(number);
        return new Guest(person, lease, nonce, heard, settled, bids.without(number), answers, left)
                .answered(number, answer);
    }

    /** Whoever has settled it will not ask again. */
    Guest answered(long number, Answer answer) {
        return number <= settled
                ? this
                : new Guest(person, lease, nonce, heard, settled, bids, answers.with(number, answer), taken);
    }

    /** What is said to a request that was made before. A claim that is not over answers for itself. */
    Optional<Answer> answerTo(long number) {
        var bid = bids.get(number);
        if (bid.isPresent()) {
            return Optional.of(
                    switch (bid.get()) {
                        case Bid.Waiting waiting -> new Answer.Waiting();
                        case Bid.Holding holding -> new Answer.Granted(holding.fence());
                    });
        }
        return number > settled
                ? answers.get(number)
                : Optional.of(taken.get(number).orElse(new Answer.Released()));
    }
}
