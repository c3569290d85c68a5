package habemus.client;

import habemus.fenced.Answer;
import habemus.fenced.Wish;

/** Something that is asked of the service. All of it happens on the driver's thread. */
interface Request {

    Wish wish();

    /** It is on its way in this session, by this number. */
    void asked(Life life, long number);

    /** {@return whether more may be said about it} */
    boolean answered(Answer answer);

    /** Its session is over, and it has no last answer, or is held. */
    void lost(Loss why);

    /** It cannot be asked at all. */
    void failed(RuntimeException why);
}
