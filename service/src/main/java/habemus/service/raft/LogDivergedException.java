package habemus.service.raft;

/** Two nodes have committed different entries at the same index. The node stops: it cannot know which is right. */
final class LogDivergedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    LogDivergedException(String message) {
        super(message);
    }
}
