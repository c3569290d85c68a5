package habemus.lab.advice;

import habemus.world.KebabCase;
import java.util.Arrays;
import java.util.Optional;

/** What matters to the user besides correctness: a requirement, or an order of what fits. */
public enum Priority {
    /** Few messages first. */
    MESSAGES("few messages"),
    /** Short delays first. */
    DELAY("a short delay"),
    /** Those that bound how often a waiter is bypassed first. */
    FAIRNESS("no waiter is bypassed without bound"),
    /** Required: safety holds even if nodes are paused. */
    SAFE_PAUSE("safety if a node is paused"),
    /** Required: no node is indispensable. */
    NO_SINGLE_POINT("no single point of failure");

    private final String sentence;

    Priority(String sentence) {
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }

    public static Optional<Priority> find(String name) {
        return Arrays.stream(values())
                .filter(one -> one.toString().equals(name))
                .findFirst();
    }

    @Override
    public String toString() {
        return KebabCase.of(this);
    }
}
