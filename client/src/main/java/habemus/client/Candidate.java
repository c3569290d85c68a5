package habemus.client;

/**
 * Who wants to lead. All calls come one after the other, on a virtual thread: after every {@link #onElected} exactly
 * one {@link #onDeposed} of the same term, and before it no other.
 */
public interface Candidate {

    /**
     * It leads. It may work here for as long as it likes: if it is deposed meanwhile, the thread is interrupted, and
     * {@link #onDeposed} follows when this returns.
     *
     * @param term the fence of this reign, larger than that of every one before
     */
    void onElected(long term);

    /**
     * It leads no more. If the reason is a loss, this comes before the service may let another lead, unless
     * {@link #onElected} takes its time.
     *
     * @param term the one that is over
     * @param reason why
     */
    void onDeposed(long term, LossReason reason);

    /**
     * The service does not let it stand as a candidate; the campaign is over.
     *
     * @param why with a hint
     */
    default void onRejected(RequestRejectedException why) {}
}
