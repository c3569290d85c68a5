package habemus.service.log;

/** Two nodes hold different entries to be committed: one of them was wrong, and nobody can tell which. */
final class Diverged extends RuntimeException {

    private static final long serialVersionUID = 1;

    Diverged(String message) {
        super(message);
    }
}
