package habemus.check.model;

/** The same event in the same state gave two different steps: the algorithm is not a pure function. */
public final class ImpureStepException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ImpureStepException(Object first, Object second) {
        super("the same event in the same state gave two results: " + first + " and " + second);
    }
}
