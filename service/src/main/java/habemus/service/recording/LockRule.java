package habemus.service.recording;

import java.util.Locale;

/** A rule that the grants of a recorded lock service keep. */
public enum LockRule {
    FENCED_EXCLUSION("the holders of a resource never have more units than it has"),
    FENCES_GROW("the fence of a grant is larger than those of all earlier commands"),
    EXACTLY_ONCE("a request is granted at most once, and every node replies the same fence"),
    FIFO_WAITERS("no request is granted before one that waits ahead of it in a queue");

    private final String sentence;

    LockRule(String sentence) {
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }

    /** The name in output, such as {@code fences-grow}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
