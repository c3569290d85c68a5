package habemus.election;

import habemus.protocol.WireTags;

/** What is said in an election by terms; each tells the term of its sender. */
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

    /** What wants an answer: if it is of an older term, the answer is {@link NewerTerm}. */
    @WireTags({RequestVote.class, Heartbeat.class, PreVote.class})
    sealed interface Request extends TermMessage {}

    /** Would you vote for me, if I began a new term? */
    record PreVote(long term) implements Request {}

    /** I would: I know of no leader. It tells the term of the question, which may be higher than its sender's. */
    record PreVoteGranted(long term) implements TermMessage {}

    /** Vote for me in this term, which I have begun. */
    record RequestVote(long term) implements Request {}

    record VoteGranted(long term) implements TermMessage {}

    /** I lead this term; said again and again. */
    record Heartbeat(long term) implements Request {}

    /** I have heard it. */
    record HeartbeatAck(long term) implements TermMessage {}

    /** You lead, and I want to: please make room. */
    record TransferLeadership(long term) implements TermMessage {}

    /** I have made room: begin the next term at once. */
    record TimeoutNow(long term) implements TermMessage {}

    /** Your term is over. */
    record NewerTerm(long term) implements TermMessage {}
}
