package habemus.lab.source;

import java.util.List;

/** A source file cannot be used: what is wrong, where, and a hint what to do. */
public final class InvalidSourceException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String message;
    private final String hint;
    private final transient List<String> details;

    /** @param details further lines, such as the lines of the file with an error */
    public InvalidSourceException(String message, List<String> details, String hint) {
        super(message);
        this.message = message;
        this.details = List.copyOf(details);
        this.hint = hint;
    }

    public String message() {
        return message;
    }

    public List<String> details() {
        return details;
    }

    public String hint() {
        return hint;
    }
}
