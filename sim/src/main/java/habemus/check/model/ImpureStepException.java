package habemus.check.model;

/** The same step was made twice, and came out differently. */
public final class ImpureStepException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ImpureStepException(Object one, Object other) {
        super("the same event in the same state once gave " + one + " and once " + other);
    }
}
