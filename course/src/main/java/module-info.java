/** What a course needs: thread programs on the real JVM, servers under load, exercises with their checks. */
@SuppressWarnings("requires-automatic") // HdrHistogram is one
module habemus.course {
    requires transitive habemus.lab;
    requires com.google.gson;
    requires HdrHistogram;
    requires java.management;
    requires static org.jspecify;

    exports habemus.course.chapter;
    exports habemus.course.threads;
}
