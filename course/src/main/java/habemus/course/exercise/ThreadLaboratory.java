package habemus.course.exercise;

import habemus.course.threads.StressReport.ThreadFindings;
import java.nio.file.Path;

/** Explores and runs the threads of a compiled class, in a JVM of its own. */
@FunctionalInterface
public interface ThreadLaboratory {

    /**
     * @param task the simple name of the interface that the class implements
     * @param className the class
     * @param classes the folder with the class files
     */
    ThreadFindings explore(String task, String className, Path classes);
}
