package habemus.service.log;

/** Two nodes have committed different entries at the same index. The node stops: it cannot know which is right. */
public final class LogDivergedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public LogDivergedException(String message) {
        super(message);
    }
}
