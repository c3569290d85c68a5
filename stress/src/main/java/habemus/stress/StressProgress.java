package habemus.stress;

/** Tells the process that waits for the result how far this one is. */
interface StressProgress {
    void show(int done, int all, String what);
}
