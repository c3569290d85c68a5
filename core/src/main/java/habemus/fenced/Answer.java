package habemus.fenced;

import habemus.protocol.WireTags;
import java.util.List;

/** What becomes of a request. */
@WireTags({
    Answer.Busy.class,
    Answer.Cancelled.class,
    Answer.Closed.class,
    Answer.Granted.class,
    Answer.Refused.class,
    Answer.Released.class,
    Answer.Revoked.class,
    Answer.Waiting.class
})
public sealed interface Answer {

    /** In line; another answer to the same request will follow. */
    record Waiting() implements Answer {}

    /** @param fence the index of the command that let it in: larger than all before; in an election, the term */
    record Granted(long fence) implements Answer {}

    /** Not now. */
    record Busy(List<Holder> holders) implements Answer {}

    /** It has nothing by that claim, from now on; the same if it never had. */
    record Released() implements Answer {}

    /** The request was taken back before it was granted, or before it arrived. */
    record Cancelled() implements Answer {}

    /** By nobody's wish but an operator's. */
    record Revoked(String operator, String reason) implements Answer {}

    record Refused(Fault fault) implements Answer {}

    /** The session is over. */
    record Closed() implements Answer {}

    enum Fault {
        /** Others use it with another size. */
        OTHER_SIZE,
        /** A request without wants, or that names something twice, or an election among others. */
        NOT_TOGETHER,
        /** Nobody of that name is a candidate. */
        NO_CANDIDATE,
        /** The claim does not lead. */
        NOT_LEADING,
        /** By the node, before the log: whoever asks has no right to it. */
        FORBIDDEN,
        /** By the node, before the log: too many wait or hold already, or this session has asked too much at once. */
        TOO_MANY,
        /** By the node, before the log: a name is empty, or longer than allowed. */
        WRONG_NAME
    }
}
