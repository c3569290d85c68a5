/** What a course needs: thread programs on the real JVM, servers under load, exercises with their checks. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // HdrHistogram is one
module habemus.course {
    requires transitive habemus.lab;
    requires com.google.gson;
    requires transitive HdrHistogram;
    requires java.management;
    requires static org.jspecify;

    exports habemus.course.chapter;
    exports habemus.course.exercise;
    exports habemus.course.servers;
    exports habemus.course.servers.load;
    exports habemus.course.servers.process;
    exports habemus.course.servers.session;
    exports habemus.course.threads;
}
