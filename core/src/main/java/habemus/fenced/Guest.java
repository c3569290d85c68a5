package habemus.fenced;

import java.time.Duration;

/**
 * A session, as the table knows it.
 *
 * @param heard the index of the last command by which it was heard of
 * @param settled its client has the answers of all requests up to this number
 * @param answers of later requests
 */
public record Guest(
        Person person,
        Duration lease,
        long nonce,
        long heard,
        long settled,
        Tree<Long, Bid> bids,
        Tree<Long, Answer> answers) {

    static Guest arriving(Command.Open open, long index) {
        return new Guest(open.person(), open.lease(), open.nonce(), index, 0, Tree.empty(), Tree.empty());
    }

    Guest heardAt(long index) {
        return new Guest(person, lease, nonce, index, settled, bids, answers);
    }

    Guest settledUpTo(long number) {
        return number <= settled
                ? this
                : new Guest(person, lease, nonce, heard, number, bids, answers.from(number + 1));
    }

    Guest bidding(long number, Bid bid) {
        return new Guest(person, lease, nonce, heard, settled, bids.with(number, bid), answers);
    }

    Guest without(long number) {
        return new Guest(person, lease, nonce, heard, settled, bids.without(number), answers);
    }

    /** Whoever has settled it will not ask again. */
    Guest answered(long number, Answer answer) {
        return number <= settled
                ? this
                : new Guest(person, lease, nonce, heard, settled, bids, answers.with(number, answer));
    }
}
