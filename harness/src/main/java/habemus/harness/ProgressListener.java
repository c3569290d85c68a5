package habemus.harness;

/** Receives the progress of a long experiment. May be called by any thread. */
public interface ProgressListener {

    /**
     * @param what is done now
     * @param done steps, of {@code all}
     */
    void show(String what, long done, long all);

    /** For work whose extent is unknown. */
    void showText(String what);

    /** The experiment has ended. */
    void clear();
}
