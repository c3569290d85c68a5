package habemus.service.raft;

/** Two nodes hold different entries to be committed: one of them was wrong, and nobody can tell which. */
final class LogDivergedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    LogDivergedException(String message) {
        super(message);
    }
}
