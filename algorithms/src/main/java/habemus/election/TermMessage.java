package habemus.election;

import habemus.protocol.WireTags;

/** The messages of {@link TermMajority}. Each carries the term of its sender. */
@WireTags({
    TermMessage.PreVoteGranted.class,
    TermMessage.HeartbeatAck.class,
    TermMessage.TransferLeadership.class,
    TermMessage.NewerTerm.class,
    TermMessage.Request.class,
    TermMessage.TimeoutNow.class,
    TermMessage.VoteGranted.class
})
public sealed interface TermMessage {

    long term();

    /** A message that a node in a newer term answers with {@link NewerTerm}. */
    @WireTags({RequestVote.class, Heartbeat.class, PreVote.class})
    sealed interface Request extends TermMessage {}

    /** Asks whether the receiver would vote for the sender in a new term. */
    record PreVote(long term) implements Request {}

    /** The sender knows no leader. Carries the term of the request, which may be higher than that of the sender. */
    record PreVoteGranted(long term) implements TermMessage {}

    /** The sender has started this term, and asks for a vote. */
    record RequestVote(long term) implements Request {}

    record VoteGranted(long term) implements TermMessage {}

    /** The sender leads this term; repeated in every heartbeat interval. */
    record Heartbeat(long term) implements Request {}

    /** Answers a heartbeat. */
    record HeartbeatAck(long term) implements TermMessage {}

    /** Asks the leader to step down in favour of the sender. */
    record TransferLeadership(long term) implements TermMessage {}

    /** The leader has stepped down: the receiver starts the next term at once. */
    record TimeoutNow(long term) implements TermMessage {}

    /** The term of the request is over. */
    record NewerTerm(long term) implements TermMessage {}
}
