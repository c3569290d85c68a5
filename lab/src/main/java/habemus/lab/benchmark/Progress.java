package habemus.lab.benchmark;

/** Receives the progress of a benchmark. */
public interface Progress {
    void onProgress(String label, long done, long all);
}
