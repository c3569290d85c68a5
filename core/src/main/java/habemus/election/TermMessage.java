package habemus.election;

import habemus.protocol.WireTags;

/** What is said in an election by terms; each tells the term of its sender. */
@WireTags({
    TermMessage.Encourage.class,
    TermMessage.Follow.class,
    TermMessage.HandOver.class,
    TermMessage.Newer.class,
    TermMessage.Question.class,
    TermMessage.Stand.class,
    TermMessage.Vote.class
})
public sealed interface TermMessage {

    long term();

    /** What wants an answer: if it is of an older term, the answer is {@link Newer}. */
    @WireTags({Ask.class, Lead.class, Probe.class})
    sealed interface Question extends TermMessage {}

    /** Would you vote for me, if I began a new term? */
    record Probe(long term) implements Question {}

    /** I would: I know of no leader. It tells the term of the question, which may be higher than its sender's. */
    record Encourage(long term) implements TermMessage {}

    /** Vote for me in this term, which I have begun. */
    record Ask(long term) implements Question {}

    record Vote(long term) implements TermMessage {}

    /** I lead this term; said again and again. */
    record Lead(long term) implements Question {}

    /** I have heard it. */
    record Follow(long term) implements TermMessage {}

    /** You lead, and I want to: please make room. */
    record HandOver(long term) implements TermMessage {}

    /** I have made room: begin the next term at once. */
    record Stand(long term) implements TermMessage {}

    /** Your term is over. */
    record Newer(long term) implements TermMessage {}
}
