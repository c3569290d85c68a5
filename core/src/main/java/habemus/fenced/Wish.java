package habemus.fenced;

import habemus.protocol.WireTags;
import java.util.List;

/** What a session asks for. */
@WireTags({Wish.Acquire.class, Wish.Close.class, Wish.Release.class, Wish.Transfer.class})
public sealed interface Wish {

    /**
     * To be let in everywhere at once, or nowhere.
     *
     * @param patient whether to wait in line; else the answer is {@link Answer.Busy} if it cannot be now
     * @param rank in an election who has a higher one comes first; elsewhere zero
     */
    record Acquire(List<Want> wants, boolean patient, int rank) implements Wish {
        public static Acquire of(Want... wants) {
            return new Acquire(List.of(wants), true, 0);
        }
    }

    /** Not to be let in, or no longer, by this claim of the same session: to release, cancel, resign. */
    record Release(long claim) implements Wish {}

    /** To resign as the leader by this claim, in favour of a candidate: the oldest of a session that is called so. */
    record Transfer(long claim, String to) implements Wish {}

    /** That the session ends, and with it all it has. */
    record Close() implements Wish {}
}
