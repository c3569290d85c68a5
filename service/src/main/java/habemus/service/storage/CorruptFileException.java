package habemus.service.storage;

/** A data file fails its checksum. The node refuses to start: it may have lost data that it has acknowledged. */
public final class CorruptFileException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    public CorruptFileException(String message) {
        super(message);
    }
}
