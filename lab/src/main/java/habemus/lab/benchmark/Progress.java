package habemus.lab.benchmark;

/** Is told what is being run. */
public interface Progress {
    void onProgress(String what, long done, long all);
}
