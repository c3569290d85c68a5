package habemus.service.storage;

/** A file is not what was written: the node does not start, since it would have forgotten what it promised. */
public final class CorruptFileException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    public CorruptFileException(String what) {
        super(what);
    }
}
