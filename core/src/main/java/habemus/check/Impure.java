package habemus.check;

/** The same step was made twice, and came out differently. */
final class Impure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Impure(Object one, Object other) {
        super("the same event in the same state once gave " + one + " and once " + other);
    }
}
