package habemus.log.etcd;

import org.jspecify.annotations.Nullable;

/** A call to etcd has failed. The message is for operators. */
final class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** What an operator, or the log, does about it. */
    enum Kind {
        /** No answer, or no quorum. A transaction may have been committed, or may be later. */
        UNAVAILABLE,
        /** The history that was asked for is compacted. */
        COMPACTED,
        /** The database is over its space quota. */
        NO_SPACE,
        /** Certificates, user or password are wrong, or permissions are missing. */
        DENIED,
        /** The request is invalid for this etcd. */
        INVALID
    }

    private final Kind kind;
    private final String message;

    StoreException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.message = message;
        this.kind = kind;
    }

    @Override
    public String getMessage() {
        return message;
    }

    Kind kind() {
        return kind;
    }
}
