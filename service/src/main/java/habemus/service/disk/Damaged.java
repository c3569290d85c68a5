package habemus.service.disk;

/** A file is not what was written: the node does not start, since it would have forgotten what it promised. */
public final class Damaged extends IllegalStateException {

    private static final long serialVersionUID = 1;

    public Damaged(String what) {
        super(what);
    }
}
