/** The laboratory: what was recorded of a run, told as text, as data and as pictures. */
module habemus.lab {
    requires transitive habemus.core;
    requires transitive com.google.gson;
    requires java.management;
    requires jdk.management;
    requires static org.jspecify;

    exports habemus.lab.bench;
    exports habemus.lab.picture;
    exports habemus.lab.trace;
}
