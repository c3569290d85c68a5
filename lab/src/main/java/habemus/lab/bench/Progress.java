package habemus.lab.bench;

/** Is told what is being run. */
public interface Progress {
    void at(String what, long done, long all);
}
