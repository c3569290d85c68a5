package habemus.client;

/**
 * A candidate in an {@link Election}. All calls come one after the other on a virtual thread. After every
 * {@link #onElected} there is exactly one {@link #onDeposed} of the same term, before the next {@link #onElected}.
 */
public interface Candidate {

    /**
     * Called when this candidate becomes the leader. The call may last as long as the term: if the leader is deposed,
     * its thread is interrupted, and {@link #onDeposed} follows when this method returns.
     *
     * @param term the fence of this term, larger than that of every term before
     */
    void onElected(long term);

    /**
     * Called when this candidate is not the leader any more. After a lost lease, this call comes before the service can
     * elect another leader, unless {@link #onElected} does not return in time.
     *
     * @param term the term that has ended
     * @param reason why it ended
     */
    void onDeposed(long term, LossReason reason);

    /**
     * Called when the service rejects this candidate. The campaign is over.
     *
     * @param rejection why, with a hint
     */
    default void onRejected(RequestRejectedException rejection) {}
}
