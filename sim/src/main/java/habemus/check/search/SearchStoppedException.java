package habemus.check.search;

/** The limits of the check ended the work on its states. The message says which limit. */
public final class SearchStoppedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    SearchStoppedException(String limit) {
        super(limit);
    }
}
