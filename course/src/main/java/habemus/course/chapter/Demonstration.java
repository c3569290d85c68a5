package habemus.course.chapter;

import java.util.List;

/** A small program that shows claims of the chapter on the running JVM. */
public interface Demonstration {

    /** The word that names it on the command line. */
    String name();

    /** What all its observations together show, one sentence. */
    String claim();

    /** Runs it. It ends by itself, and leaves no thread and no process. */
    List<Observation> run() throws InterruptedException;
}
